import { Client } from 'pg'
import { PORT } from './folders.ts'

/** The result of `tryConnect` without a session: there is no server, or it is starting, stopping or recovering. */
export type NotConnected = 'absent' | 'not ready'

export const MEMBER = 'backdesk member'
const CONNECT_TIMEOUT_MS = 5_000
const NOBODY_LISTENS = ['ENOENT', 'ECONNREFUSED']
/** SQLSTATE classes for which retrying is useless: wrong role, wrong database, invalid request. */
const REFUSED = /^(28|3D|42)/

/** Opens a session of the server's superuser. `lost` is called when it ends for any reason. */
export async function tryConnect(
  folder: string,
  name: string,
  lost: (error: Error) => void = () => {},
): Promise<Client | NotConnected> {
  const client = new Client({
    host: folder,
    port: PORT,
    user: 'postgres',
    database: 'postgres',
    application_name: name,
    ssl: false, // overrides PGSSLMODE
    options: '-c idle_session_timeout=0', // a member is idle for as long as it lives
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  let connected = false
  let cause: Error | undefined
  client.on('error', (error) => {
    cause ??= error
  })
  client.on('end', () => {
    if (connected) lost(cause ?? new Error('The connection to PostgreSQL has ended'))
  })
  try {
    await client.connect()
    connected = true
    return client
  } catch (error) {
    return whyNotConnected(error as Error & { code?: string }, folder)
  }
}

/** How many sessions there are besides this one. */
export async function countOthers(client: Client): Promise<{ members: number; clients: number }> {
  const { rows } = await client.query<{ members: number; clients: number }>(
    `select count(*) filter (where application_name = $1)::integer as members, count(*)::integer as clients
     from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    [MEMBER],
  )
  return rows[0] ?? { members: 0, clients: 0 }
}

function whyNotConnected(error: Error & { code?: string }, folder: string): NotConnected {
  const code = error.code ?? ''
  if (NOBODY_LISTENS.includes(code)) return 'absent'
  if (code === 'EACCES' || code === 'EPERM') {
    throw new Error(`PostgreSQL in ${folder} belongs to another user. Run as that user, or choose another DATA_DIR.`, {
      cause: error,
    })
  }
  if (REFUSED.test(code)) throw error
  return 'not ready'
}
