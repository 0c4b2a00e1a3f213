import { joinServer } from '#embedded-postgres/join-server.ts'
import { insertSeat } from '../src/features/accounts/accounts.store.ts'
import { beginSession } from '../src/features/sign-in/commands/begin-session.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { sessionCookies } from '../src/platform/http/session-cookie.ts'
import type { Agencies, Agency } from './agencies.ts'

const OPERATOR = { name: 'bench', source: 'benchmark' }
const BROWSER = { method: 'link', secondFactor: false, address: '127.0.0.1', userAgent: null } as const
const CONSOLE = { 'backdesk-console': '1', 'sec-fetch-site': 'same-origin' }

/** Makes seats of an account, and returns what their browsers send. */
export async function signIn(
  { cell }: Agencies,
  { account }: Agency,
  count: number,
): Promise<Record<string, string>[]> {
  const server = await joinServer(cell.dataDir)
  const db = openDatabase(server.connection, 1, () => {})
  const cookies = sessionCookies(cell.url)
  const browsers: Record<string, string>[] = []
  for (let n = 0; n < count; n++) {
    const seat = { name: `Seat ${n}`, email: `seat-${n}@console.example`, role: 'owner', branchId: null }
    const id = await db.asSystem('make the seats of the benchmark', (tx) => insertSeat(tx, account, seat))
    const token = await db.inAccount(account, (tx) => beginSession(tx, { seat: id, ...BROWSER }), OPERATOR)
    browsers.push({ ...CONSOLE, cookie: cookies.write([{ account, token }]).split(';')[0] as string })
  }
  await db.close()
  await server.leave()
  return browsers
}
