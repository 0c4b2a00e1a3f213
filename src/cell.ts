import { runInBackground } from '#embedded-postgres/in-background.ts'
import { joinServer } from '#embedded-postgres/join-server.ts'
import { currentRole } from './cell.store.ts'
import type { Config } from './config.ts'
import { cellKeys, type Deps, depsOf } from './deps.ts'
import { keyWraps } from './platform/cell-key.ts'
import { type Connection, withClient } from './platform/db/client.ts'
import { type Database, openDatabase, type Replica } from './platform/db/database.ts'
import { migrate } from './platform/db/migrate.ts'
import { openCellKey } from './platform/db/open-cell-key.ts'
import { countInDatabase, countInMemory } from './platform/http/rate-limit.ts'
import { keptSecret } from './platform/kept-secret.ts'
import type { Log } from './platform/log.ts'
import { UserError } from './platform/user-error.ts'
import { followUpsOf } from './registry.ts'

/** A cell that is up: its database reached and migrated. */
export type Cell = { readonly deps: Deps; readonly connection: Connection; close(): Promise<void> }

/** Reaches the cell's database, its own or the server that DATABASE_URL names, and brings it up to date. */
export async function openCell(config: Config, log: Log): Promise<Cell> {
  const lost = (error: Error) => log.warn({ err: error }, 'lost a connection to the database')
  const embedded = config.databaseUrl === null ? await joinServer(config.dataDir, { onLost: lost }) : null
  const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl as string }
  try {
    await migrate(connection)
    const secret = config.secret ?? keptSecret(config.dataDir)
    const wraps = keyWraps(secret, config.previousSecret)
    const keys = cellKeys(await withClient(connection, (client) => openCellKey(client, secret, wraps)), wraps)
    const replica = replicaOf(config, connection, embedded !== null)
    const db = openDatabase(connection, config.databaseConnections, lost, followUpsOf(log), replica, keys.accounts)
    await refuseRolesAboveSecurity(db).catch(async (error: unknown) => {
      await db.close()
      throw error
    })
    const now = () => Date.now()
    const away = (error: unknown) => log.error({ err: error }, 'rate counter unavailable; requests are not counted')
    // The cell's own database is served by one process; others may share a server.
    const count = embedded ? countInMemory(now) : countInDatabase(db, away)
    const deps = depsOf({ config, log, db, now, count }, keys)
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

/** On the embedded server, reports run at a lower priority than the writers. */
function replicaOf({ reportsDatabaseUrl }: Config, connection: Connection, isOwn: boolean): Replica {
  if (reportsDatabaseUrl !== null) return { connection: { connectionString: reportsDatabaseUrl } }
  return isOwn ? { connection, runInBackground } : { connection }
}

/**
 * Row-level security applies to everyone except superusers and roles that bypass it; a pooler may have dropped the
 * role.
 */
async function refuseRolesAboveSecurity(db: Database): Promise<void> {
  for (const reader of [db.reader(0), db.reports(0)]) {
    const found = await reader.one(currentRole, {})
    if (found?.role === 'backdesk_app' && !found.above) continue
    throw new UserError(
      'invalid_configuration',
      `Requests would run as the role ${found?.role ?? 'none'}. They must run as backdesk_app, without superuser or bypassrls. Connect to PostgreSQL directly, and do not change the role that the migrations created.`,
    )
  }
}
