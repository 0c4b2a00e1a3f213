import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinServer } from '#embedded-postgres/join-server.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { AREAS } from './areas.ts'
import { migrationFiles } from './migration-files.ts'
import { printSchema } from './print-schema.ts'
import { readSchema } from './read-schema.ts'

/** It need not survive a crash. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** docs/schema.sql, of a database that is migrated for it. */
export async function schemaFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-schema-'))
  const server = await joinServer(folder, { settings: SETTINGS })
  try {
    await migrate(server.connection)
    const migrations = migrationFiles().map(({ sql }) => sql)
    return printSchema(await withClient(server.connection, readSchema), AREAS, migrations.join('\n'))
  } finally {
    await server.leave()
    rmSync(folder, { recursive: true, force: true })
  }
}
