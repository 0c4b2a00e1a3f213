import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SECRET_MINIMUM } from './config.ts'
import type { Deps, Log } from './deps.ts'
import { keyRing } from './platform/access/key-ring.ts'
import { type Connection, type Database, openDatabase } from './platform/db/database.ts'
import { joinServer } from './platform/db/embedded.ts'
import { migrate } from './platform/db/migrate.ts'
import { statement } from './platform/db/statement.ts'
import { openFiles } from './platform/files/files.ts'
import { cursorsWith } from './platform/http/cursors.ts'
import { countInDatabase, countInMemory } from './platform/http/rate-limit.ts'
import { deriveKey, sealWith } from './platform/seal.ts'

/** A cell that is up: its database reached and migrated. */
export type Cell = { readonly deps: Deps; readonly connection: Connection; close(): Promise<void> }

/** Reaches the cell's database, its own or the server that DATABASE_URL names, and brings it up to date. */
export async function openCell(config: Config, log: Log): Promise<Cell> {
  const lost = (error: Error) => log.warn({ err: error }, 'a connection to the database was lost')
  const embedded = config.databaseUrl === null ? await joinServer(config.dataDir, { onLost: lost }) : null
  const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  try {
    await migrate(connection)
    const secret = config.secret ?? keptSecret(config.dataDir)
    const db = openDatabase(connection, config.databaseConnections, lost)
    await refuseRoleAboveSecurity(db).catch(async (error: unknown) => {
      await db.close()
      throw error
    })
    const now = () => Date.now()
    const away = (error: unknown) => log.error({ err: error }, 'requests are not counted: the counter is away')
    const deps: Deps = {
      config,
      log,
      db,
      now,
      keys: keyRing(db, now),
      // The cell's own database is served by one process; others may share a server.
      count: embedded ? countInMemory(now) : countInDatabase(db, away),
      cursors: cursorsWith(deriveKey(secret, 'cursors')),
      seal: sealWith(deriveKey(secret, 'stored answers')),
      files: openFiles(config, secret, now),
    }
    return {
      deps,
      connection,
      close: async () => {
        await db.close()
        await embedded?.leave()
      },
    }
  } catch (error) {
    await embedded?.leave()
    throw error
  }
}

const whoAmI = statement<{ account: number }, { role: string; above: boolean }>(
  'select rolname as role, rolsuper or rolbypassrls as above from pg_roles where rolname = current_user',
)

/** Row-level security binds everybody but superusers and those who may bypass it; a pooler may have dropped the role. */
async function refuseRoleAboveSecurity(db: Database): Promise<void> {
  const found = await db.reader(0).one(whoAmI, {})
  if (found?.role === 'backdesk_app' && !found.above) return
  throw new Error(
    `Requests would run as ${found?.role ?? 'nobody'}. They have to run as backdesk_app, which is neither superuser nor above row-level security: connect to PostgreSQL directly, and leave that role as the migrations made it.`,
  )
}

/** The secret of a cell that keeps its own: made on the first start, whole or not at all. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) {
    const made = `${file}.${process.pid}`
    writeFileSync(made, randomBytes(32).toString('base64url'), { mode: 0o600 })
    try {
      linkSync(made, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
    } finally {
      rmSync(made, { force: true })
    }
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= SECRET_MINIMUM) return secret
  throw new Error(`${file} is too short to be the cell's secret. Put the one back that it was, or set SECRET.`)
}
