import { Client } from 'pg'
import { joinServer } from '#embedded-postgres/join-server.ts'
import { createAccount } from '../src/features/accounts/commands/create-account.ts'
import { SERVER_OPERATOR } from '../src/features/accounts/commands/seat-rules.ts'
import { createKey } from '../src/features/api-keys/commands/edit-key.ts'
import { INGEST_PER_MINUTE, PLANS } from '../src/platform/access/plans.ts'
import type { Connection } from '../src/platform/db/client.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { SESSION_OPTIONS } from '../src/platform/db/pool.ts'
import { bandOf } from '../src/platform/regions.ts'
import { Budget } from './budget.ts'
import type { Cell } from './cell.ts'
import { atEnd } from './cleanup.ts'

export type Agency = {
  readonly account: number
  readonly company: string
  readonly branch: string
  readonly key: string
}
/** A cell with many accounts, and its database. */
export type Agencies = {
  readonly cell: Cell
  readonly connection: Connection
  readonly all: readonly Agency[]
  readonly ingest: Budget<Agency>
  readonly reads: Budget<Agency>
  /** A connection as requests have it. */
  asApp(): Promise<Client>
  asSuperuser(): Promise<Client>
}

const OPERATOR = { name: 'bench', source: 'benchmark' }
const NEW = { plan: 'enterprise', timeZone: 'Europe/Istanbul', currency: 'EUR', country: 'TR', ownerName: 'Owner' }
const KEY = { name: 'Benchmark', scopes: ['full'], role: null, expiresAt: null, allowedCidrs: [] }
/** Those of the program, so that both get the same plans. */
export const APP_OPTIONS = `${SESSION_OPTIONS} -c role=backdesk_app`

export async function makeAgencies(cell: Cell, count: number): Promise<Agencies> {
  const server = await joinServer(cell.dataDir) // Only the last participant to leave may stop it.
  const { connection } = server
  const db = openDatabase(connection, 1, () => {})
  const all: Agency[] = []
  for (let n = 1; n <= count; n++) {
    const given = { ...NEW, name: `Agency ${n}`, ownerEmail: `owner${n}@agency.example` }
    const { account, company, branch } = await db.asSystem('make an account of the benchmark', (tx) =>
      createAccount(tx, bandOf('eu'), given, OPERATOR),
    )
    const { key } = await db.inAccount(account.id, (tx) => createKey(tx, SERVER_OPERATOR, KEY, OPERATOR.name), OPERATOR)
    all.push({ account: account.id, company: company.id, branch: branch.id, key })
  }
  await db.close()
  await server.leave()
  const open = async (config: object) => {
    const client = new Client({ ...connection, ...config })
    client.on('error', () => {})
    await client.connect()
    atEnd(() => client.end())
    return client
  }
  return {
    cell,
    connection,
    all,
    ingest: new Budget(all, INGEST_PER_MINUTE),
    reads: new Budget(all.slice(1), PLANS.enterprise.requestsPerMinute - 200), // the first is for the feed
    asApp: () => open({ options: APP_OPTIONS }),
    asSuperuser: () => open({ user: 'postgres' }),
  }
}
