import { type Connection, type SingleClient, withClient } from '../db/client.ts'
import { shareMigrationsLock } from '../db/migrate.ts'
import { prepareSession } from './tables.ts'

/** The name of such a connection: its transaction is read-only, and may take hours. */
export const SNAPSHOT = 'backdesk snapshot'

/** A transaction with a consistent snapshot of the database, in which no table can be changed or dropped. */
export const withSnapshot = (connection: Connection, read: (client: SingleClient) => Promise<void>): Promise<void> =>
  withClient(
    connection,
    async (client) => {
      await prepareSession(client)
      await shareMigrationsLock(client)
      await client.query('begin isolation level repeatable read')
      await read(client)
    },
    SNAPSHOT,
  )
