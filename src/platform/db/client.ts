import { Client, type ClientConfig } from 'pg'

/** How a server is reached; roles are chosen by the program. */
export type Connection = Pick<ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>

/** The client of `withClient`: it has no account, so it is for work on the whole database. */
export type SingleClient = Client

/** A single connection outside any account, for migrations, backups and tests. */
export async function withClient<T>(
  connection: Connection,
  fn: (client: Client) => Promise<T>,
  name = 'backdesk',
): Promise<T> {
  const client = new Client({ ...connection, application_name: name })
  client.on('error', () => {})
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
