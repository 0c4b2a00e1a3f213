import { Client, type ClientConfig } from 'pg'

/** How a server is reached; roles are chosen by the program. */
export type Connection = Pick<ClientConfig, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>

/** A single connection outside any account, for migrations and tests. */
export async function withClient<T>(connection: Connection, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, application_name: 'backdesk' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
