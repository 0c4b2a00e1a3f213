import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { withClient } from '../../src/platform/db/client.ts'
import { joinServer } from '../../src/platform/db/embedded/join-server.ts'
import { migrate } from '../../src/platform/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the server's socket. */
    postgres: { host: string; port: number }
  }
}

/** One embedded server for the run, and a database migrated once, which every test file clones. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-test-'))
  const server = await joinServer(folder, {
    settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
  })
  const { host, port } = server.connection
  await withClient({ ...server.connection }, async (client) => {
    await client.query('create database template_cell')
  })
  await migrate({ ...server.connection, database: 'template_cell' })
  project.provide('postgres', { host, port })
  return async () => {
    await server.leave()
    rmSync(folder, { recursive: true, force: true })
  }
}
