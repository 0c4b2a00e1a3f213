import { Client } from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { keepInbound } from '../../src/features/communications/commands/keep-inbound.ts'
import { listMessages } from '../../src/features/communications/communications.store.ts'
import { readRecipients } from '../../src/features/communications/recipients.store.ts'
import { OF_ADVISOR, readPerformance } from '../../src/features/dashboards/performance.store.ts'
import { readRetention } from '../../src/features/dashboards/retention.store.ts'
import { listLeads } from '../../src/features/leads/leads.store.ts'
import { findPlace } from '../../src/features/ticket-printer/captures.store.ts'
import { readDueTrips } from '../../src/features/trip-notifications/due-trips.store.ts'
import { scheduleNotifications } from '../../src/features/trip-notifications/schedule-notifications.ts'
import { listTrips } from '../../src/features/trips/trips.store.ts'
import { load } from '../../src/imports/engine/load.ts'
import { type ImportRow, readImportRows } from '../../src/imports/engine/read-rows.ts'
import { resolve } from '../../src/imports/engine/resolve.ts'
import { ALL_POLICIES, BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { SESSION_OPTIONS } from '../../src/platform/db/pool.ts'
import { importables } from '../../src/registry.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell } from '../harness/cell.ts'

const READ = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' }
const PEOPLE = 3_000

let connection: Connection
beforeAll(async () => {
  const cell = await startCell()
  const { number, company } = await makeAgency(cell)
  connection = cell.connection
  await withClient({ ...connection, user: 'postgres' }, async (client) => {
    await client.query(
      `insert into customers (account_id, company_id, source_system, external_id, email)
       select $1, $2, 'api', 'C' || n, 'c' || n || '@example.com' from generate_series(1, ${PEOPLE}) as n`,
      [number, company.id],
    )
    await client.query(
      `insert into communications (account_id, company_id, customer_id, direction, channel, status, body_plain, thread_id, read_at)
       select c.account_id, c.company_id, c.id, m.direction, m.channel, m.status, c.external_id, c.id, now()
       from customers c, (values ('inbound', 'email', 'received'), ('internal', 'phone', 'recorded'), ('outbound', 'other', 'recorded')) as m(direction, channel, status)`,
    )
    await client.query('analyze')
  })
})

/** The SQL that `work` sends, to which nothing is answered. */
async function sentBy(work: (tx: AccountTx) => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const record = async ({ text }: { text: string }) => void sent.push(text)
  await work({
    one: record,
    all: async (statement: { text: string }) => (await record(statement)) ?? [],
  } as unknown as AccountTx)
  return sent
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
/** How the customers, or the rows of another table, are looked for, as requests are planned. */
async function looksFor(sql: string, table = 'customers'): Promise<string[]> {
  const client = new Client({ ...connection, options: `${SESSION_OPTIONS} -c role=backdesk_app` })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`)
  const scans = nodes(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === table)
  return scans.map((scan) => scan['Index Cond'] ?? 'all')
}
/** The columns that are compared besides the account. */
const BY_ONE = /\b(id|external_id|email_key) = /

const rowsOf = (key: string, row: object): [(typeof importables)[number]['entity'], ImportRow[]] => {
  const { entity } = importables.find((importable) => importable.entity.key === key) as (typeof importables)[number]
  return [entity, readImportRows(entity, [{ external_id: 'X', ...row }], new Set(), READ).rows]
}

describe('a customer who is named is found by an index, behind the wall as well', () => {
  const isFoundByIndex = async (sent: readonly string[]) => {
    const scans = (await Promise.all(sent.map((sql) => looksFor(sql)))).flat()
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) expect(scan).toMatch(BY_ONE)
  }

  it.each([
    ['that skips', false],
    ['that changes them', ALL_POLICIES],
    ['of a role that may not know them all', BUILT_IN_ROLES.admin as Policies],
  ] as const)('by an import of customers %s', async (_, writer) => {
    const [entity] = rowsOf('customers', {})
    await isFoundByIndex(await sentBy((tx) => load(tx, entity, ['C1'], 'api', writer)))
  })
  it.each(['hotel_stays', 'leads', 'operator_invoices'])('by references of %s', async (key) => {
    const [entity, rows] = rowsOf(key, { customer_external_id: 'C1' })
    for (const writer of [ALL_POLICIES, BUILT_IN_ROLES.admin as Policies]) {
      const sent = await sentBy((tx) => resolve(tx, entity, rows, 'api', writer))
      expect(sent).toHaveLength(2) // by external id, then by e-mail
      await isFoundByIndex(sent)
    }
  })
  it('by the leads that may be a restricted customer', async () => {
    const none = { text: undefined, number: undefined, known: undefined, stage: undefined, source: undefined }
    const page = { limit: 25, after: null }
    const sent = await sentBy((tx) => listLeads(tx, BUILT_IN_ROLES.admin as Policies, page, none as never))
    await isFoundByIndex(sent)
  })
  it.each([
    ['who buys a trip of which something is due', readDueTrips],
    ['whom something is statement to', readRecipients],
  ])('as %s', async (_, { text }) => isFoundByIndex([text]))
  it('by the code that a file of the ticket printer names', async () => {
    expect(await looksFor(findPlace.text)).toEqual([expect.stringMatching(/\bcode = /)])
  })
})

describe('trips are found by an index, behind the wall as well', () => {
  const owner = BUILT_IN_ROLES.owner as Policies
  const after = ['2031-05-01', '01890000-0000-7000-8000-000000000000']
  const list = async (page: Parameters<typeof listTrips>[2], asked: Parameters<typeof listTrips>[3]) => {
    const [sql = ''] = await sentBy((tx) => listTrips(tx, owner, page, asked))
    return looksFor(sql, 'trips')
  }
  it('by their start on further pages, and in scopes that limit the start', async () => {
    expect(await list({ limit: 25, after }, {})).toEqual([expect.stringContaining('ROW(starts, id) > ROW')])
    for (const scope of ['upcoming', 'in_progress'] as const)
      expect(await list({ limit: 25, after: null }, { scope })).toEqual([expect.stringMatching(/starts >/)])
  })
  it('by a part of a word, which a function of the system asks for', async () => {
    const [sql = ''] = await sentBy((tx) => listTrips(tx, owner, { limit: 25, after: null }, { q: 'roma' }))
    expect(sql).toContain('trips_like(')
  })
  it('with their segments one by one, where a schedule asks for flights', async () => {
    const sent: string[] = []
    scheduleNotifications({ later: ({ text }: { text: string }) => sent.push(text) } as unknown as AccountTx, ['T'])
    expect(await looksFor(sent[1] ?? '', 'trip_segments')).toEqual([expect.stringMatching(/\btrip_id = \S*t\.id/)])
  })
})

describe('messages are found by an index, behind the wall as well', () => {
  const admin = BUILT_IN_ROLES.admin as Policies
  const after = ['2031-05-01', '01890000-0000-7000-8000-000000000000']
  const list = async (asked: Parameters<typeof listMessages>[4], q?: string) =>
    sentBy((tx) => listMessages(tx, admin, { limit: 25, after }, q, asked))
  it.each([
    [{ unread: false }, /created_at, id\) < ROW/],
    [{ unread: true }, /account_id = \S+\)$/], // of unread ones only
    [{ unread: false, customer_id: 'C' }, /customer_id = /],
    [{ unread: false, thread_id: 'T' }, /thread_id = /],
    [{ unread: false, channel: 'sms' }, /channel = /],
    [{ unread: false, direction: 'outbound' }, /direction = /],
  ])('by the filter %j', async (asked, by) => {
    const [sql = ''] = await list(asked)
    const scans = await looksFor(sql, 'communications')
    expect(scans).not.toContain('all')
    expect(scans.some((scan) => by.test(scan))).toBe(true)
  })
  it('by a part of a word, which a function of the system asks for', async () => {
    const [recent = '', indexed = ''] = await list({ unread: false }, 'roma')
    expect([recent.includes('limit 5000'), indexed.includes('communications_like(')]).toEqual([true, true])
  })
  it('and so is who wrote one', async () => {
    const nothing = { messageId: null, inReplyTo: null, html: null, to: [], cc: [], references: [], files: [] }
    const mail = { ...nothing, channel: 'email', from: 'c1@example.com' }
    for (const writer of [ALL_POLICIES, BUILT_IN_ROLES.admin as Policies]) {
      const sent = await sentBy((tx) => keepInbound({ ...tx, later: () => {} } as never, mail as never, writer))
      const bySender = sent.filter((sql) => sql.includes('email_key'))
      expect(bySender).toHaveLength(1)
      for (const sql of bySender) expect(await looksFor(sql)).toEqual([expect.stringMatching(BY_ONE)])
    }
  })
})

describe('what the dashboards show is found by an index, behind the wall as well', () => {
  const admin = BUILT_IN_ROLES.admin as Policies
  const PERFORMANCE = readPerformance(admin).text
  const RETENTION = readRetention(admin).text
  it.each([
    ['surveys of a window', PERFORMANCE, 'surveys', /invited_at >=/],
    ['surveys of an advisor', readPerformance(admin, OF_ADVISOR).text, 'surveys', /advisor_id = |invited_at >=/],
    ['trips by their end', RETENTION, 'trips', /end_date >=.*end_date <=/],
    ['touches by their time', RETENTION, 'trip_notifications', /send_at <=/],
    ['who buys them', RETENTION, 'customers', BY_ONE],
  ])('%s', async (_, sql, table, by) => {
    const scans = await looksFor(sql, table)
    expect(scans).not.toContain('all')
    expect(scans.some((scan) => by.test(scan))).toBe(true)
  })
})
