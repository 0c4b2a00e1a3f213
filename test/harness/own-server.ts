import { rmSync } from 'node:fs'
import { type Folders, openFolders, PORT } from '#embedded-postgres/folders.ts'
import { type Settings, startServer, stopServer } from '#embedded-postgres/server.ts'
import { MEMBER, tryConnect } from '#embedded-postgres/sessions.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { atEnd } from './at-end.ts'
import { postmasterOf, temporaryFolder } from './process.ts'

const POLL_MS = 10

/** A PostgreSQL server that only the test restarts. */
export type OwnServer = {
  readonly folders: Folders
  readonly connection: { host: string; port: number; user: 'backdesk'; database: 'backdesk' }
  start(): Promise<void>
  /** As `pg_ctl stop -m fast` does: open transactions are rolled back. */
  stop(): Promise<void>
  /** As `pg_ctl stop -m immediate` does: as good as a crash. */
  crash(): Promise<void>
}

/** Starts a server in a folder, with a migrated database. It is removed after the test file. */
export async function startOwnServer(folder = temporaryFolder(), settings: Settings = {}): Promise<OwnServer> {
  const folders = openFolders(folder)
  const isThere = async () => {
    const session = await tryConnect(folders.socket, MEMBER)
    if (typeof session === 'string') return false
    await session.end()
    return true
  }
  const until = async (there: boolean) => {
    while ((await isThere()) !== there) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  const server: OwnServer = {
    folders,
    connection: { host: folders.socket, port: PORT, user: 'backdesk', database: 'backdesk' },
    async start() {
      await startServer(folders, { fsync: 'off', ...settings })
      await until(true)
    },
    stop: () => stopServer(folders),
    async crash() {
      process.kill(postmasterOf(folder), 'SIGQUIT')
      await until(false)
    },
  }
  await server.start()
  atEnd(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(server.connection)
  return server
}

/** Ends every connection of the program, as an administrator would, or a balancer that restarts. Answers how many. */
export const cutConnections = ({ connection }: { readonly connection: Connection }): Promise<number> =>
  withClient(
    { ...connection, user: 'postgres' },
    async (client) =>
      (
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'backdesk' and pid <> pg_backend_pid()`,
        )
      ).rowCount ?? 0,
    'a test',
  )
