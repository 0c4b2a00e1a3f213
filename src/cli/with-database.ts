import { joinServer } from '#embedded-postgres/join-server.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../platform/db/client.ts'

/** Connects to the database of the environment without migrating it. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  fn: (connection: Connection) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return fn({ connectionString: databaseUrl })
  const server = await joinServer(dataDir)
  try {
    return await fn(server.connection)
  } finally {
    await server.leave()
  }
}
