import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { joinServer } from '#embedded-postgres/join-server.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { settings as fuzz } from '../fuzz/settings.ts'
import { searchLogs } from './log-leaks.ts'

const LEAKS_SHOWN = 20
/** Data of the run need not survive a crash. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the server's socket. */
    postgres: { host: string; port: number }
    /** Folder of the logs of the run's cells. */
    logs: string
  }
}

/**
 * One embedded server for the run, and a database migrated once, which every test file clones. The run fails if a log
 * contains a secret or personal data.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-test-'))
  // Databases that are small and soon gone are not looked after: there are more than a hundred of them.
  const isLong = project.config.env.TEST_DEPTH === 'thorough' || fuzz.long
  const server = await joinServer(folder, { settings: { ...SETTINGS, autovacuum: isLong ? 'on' : 'off' } })
  const { host, port } = server.connection
  await withClient({ ...server.connection }, async (client) => {
    await client.query('create database template_cell')
  })
  await migrate({ ...server.connection, database: 'template_cell' })
  project.provide('postgres', { host, port })
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  project.provide('logs', logs)
  return async () => {
    await server.leave()
    const leaks = await searchLogs(folder)
    rmSync(folder, { recursive: true, force: true })
    if (leaks.length > 0)
      throw new Error(`The logs of this run tell what no log may:\n${leaks.slice(0, LEAKS_SHOWN).join('\n')}`)
  }
}
