import { beforeAll, describe, expect, it } from 'vitest'
import { RETAINED, RETAINED_KINDS } from '../../src/features/privacy/retention/retained-kinds.ts'
import { sweepRetention } from '../../src/features/privacy/retention/retention.job.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

const NOW = '2026-11-10T13:30:00Z'
/** The first instants that are kept, by rules of 30 days, 400 days and 7 days; clocks changed in between. */
const BOUNDARIES = {
  'Europe/Istanbul': ['2026-10-10T21:00:00Z', '2025-10-05T21:00:00Z', '2026-11-02T21:00:00Z'],
  'Europe/Berlin': ['2026-10-10T22:00:00Z', '2025-10-05T22:00:00Z', '2026-11-02T23:00:00Z'],
  'America/New_York': ['2026-10-11T04:00:00Z', '2025-10-06T04:00:00Z', '2026-11-03T05:00:00Z'],
  'Pacific/Auckland': ['2026-10-11T11:00:00Z', '2025-10-06T11:00:00Z', '2026-11-03T11:00:00Z'],
} as const
const RULES = { messages_days: 30, ticket_captures_days: 400, request_log_days: 7, leads_days: 30 }

async function agencyIn(zone: string, rules: object | null): Promise<Agency> {
  const agency = await makeAgency(cell)
  await sql('update accounts set time_zone = $2 where account_id = $1', [agency.number, zone])
  const session = await signInAs(cell, agency.number, agency.owner.id)
  if (rules) expect((await put(session, { version: 1, ...rules })).status).toBe(200)
  return agency
}
async function put(session: string, body: object) {
  const answer = await cell.call('PUT', '/app/v1/retention_rules', { session, body })
  return { status: answer.status, ...(answer.body as { code?: string; details?: object; data?: { version: number } }) }
}
/** One row of each kind before the instants, and one at them, all with what a person said. */
async function fill({ number, company }: Agency, [month, ticket, week]: readonly string[]): Promise<void> {
  const twice = "(values ('old', interval '-1 microsecond'), ('kept', interval '0')) as v(name, off)"
  await sql(
    `with message as (
       insert into communications (account_id, id, company_id, direction, channel, status, body_plain, thread_id, created_at)
       select $1, id, $2, 'internal', 'phone', 'recorded', name, id, $3::timestamptz + off
       from (select uuidv7() as id, v.* from ${twice}) m returning id, body_plain
     ), file as (
       insert into files (account_id, filename, content_type, byte_size, expires_at)
       select $1, body_plain, 'text/plain', 1, null from message returning id, filename
     )
     insert into communication_attachments (account_id, file_id, communication_id)
     select $1, f.id, m.id from file f join message m on m.body_plain = f.filename`,
    [number, company.id, month],
  )
  await sql(
    `insert into ticket_captures (account_id, status, provider, format, filename, encoding, sha256, content, document, pnr, captured_at, created_at)
     select $1, 'parsed', 'amadeus', 'air', name, 'utf-8', sha256(name::bytea), 'sealed', '{}', 'ABC123', now(), $2::timestamptz + off from ${twice}`,
    [number, ticket],
  )
  await sql(
    `insert into request_log (account_id, at, key_id, method, route, path, duration_ms, address, request_id, row_count)
     select $1, $2::timestamptz + off, uuidv7(), 'GET', '/me', '/me', 1, '::1', name, 0 from ${twice}`,
    [number, week],
  )
  await sql(
    `with it as (select set_config('app.as_it_is', 'on', true) as is),
     lead as (
       insert into leads (account_id, company_id, name, email, notes, external_id, source_system, stage, changed, created_at, updated_at)
       select $1, $2, v.name, 'ada@example.com', 'Met Ada', v.name || stage, 'test', stage, 1, $3::timestamptz - interval '1 year', $3::timestamptz + off
       from it, ${twice}, unnest(array['inbox', 'lost', 'won']) stage where it.is = 'on' returning id
     )
     insert into lead_moves (account_id, lead_id, to_stage, notes) select $1, id, 'inbox', 'Ada called' from lead`,
    [number, company.id, month],
  )
}
const left = async ({ number }: Agency) => ({
  messages: await list('select body_plain from communications where account_id = $1', number),
  expiring: await list('select filename from files where account_id = $1 and expires_at is not null', number),
  captures: await list(
    'select filename from ticket_captures where account_id = $1 and document is not null and content is not null',
    number,
  ),
  states: await list(`select status || ' ' || pnr from ticket_captures where account_id = $1`, number),
  requests: await list('select request_id from request_log where account_id = $1', number),
  leads: await list('select external_id from leads where account_id = $1 and deleted_at is null', number),
  persons: await list(
    `select l.external_id from leads l join lead_moves m on m.account_id = l.account_id and m.lead_id = l.id
     where l.account_id = $1 and (l.name <> '' or l.email is not null or l.notes is not null or m.notes is not null)`,
    number,
  ),
})
const list = async (text: string, account: number): Promise<unknown[]> =>
  (await sql<object>(text, [account])).flatMap((row) => Object.values(row)).toSorted()
const KEPT_LEADS = ['keptinbox', 'keptlost', 'keptwon', 'oldwon']
const SWEPT = {
  messages: ['kept'],
  expiring: ['old'],
  captures: ['kept'],
  states: ['parsed ABC123', 'parsed ABC123'],
  requests: ['kept'],
  leads: KEPT_LEADS,
  persons: KEPT_LEADS,
}
const ALL_LEADS = [...KEPT_LEADS, 'oldinbox', 'oldlost'].toSorted()
const WHOLE = {
  messages: ['kept', 'old'],
  expiring: [],
  captures: ['kept', 'old'],
  states: SWEPT.states,
  requests: ['kept', 'old'],
  leads: ALL_LEADS,
  persons: ALL_LEADS,
}
const sweep = async (now = NOW) => {
  const failures: object[] = []
  await sweepRetention.run({ db: cell.deps.db, log: logTo(failures), now: () => Date.parse(now) } as never, GO_ON)
  expect(failures).toEqual([])
}
type Entry = { details: { rule: string; removed: number }; actor: string }
const audited = ({ number }: Agency) =>
  sql<Entry>(
    "select details, actor from audit_log where account_id = $1 and action = 'retention.removed' order by id",
    [number],
  )

describe('the nightly sweep', () => {
  it.each(Object.entries(BOUNDARIES))(
    'removes what is older by whole days in %s, and nothing else',
    async (zone, at) => {
      const agency = await agencyIn(zone, RULES)
      const without = await agencyIn(zone, null)
      const all = await agencyIn(zone, { ...RULES, messages_days: null, request_log_days: null })
      await Promise.all([agency, without, all].map((one) => fill(one, at)))
      await sweep()
      expect(await left(agency)).toEqual(SWEPT)
      expect(await left(without)).toEqual(WHOLE)
      expect(await left(all)).toEqual({ ...SWEPT, messages: WHOLE.messages, expiring: [], requests: WHOLE.requests })
      const entries = await audited(agency)
      expect(entries.map(({ details, actor }) => [details.rule, details.removed, actor])).toEqual([
        ['messages_days', 1, 'backdesk'],
        ['ticket_captures_days', 1, 'backdesk'],
        ['request_log_days', 1, 'backdesk'],
        ['leads_days', 2, 'backdesk'],
      ])
      expect(JSON.stringify(entries)).not.toMatch(/ada|old/i)
      await sweep() // the day is done
      await sql('update retention_rules set swept_on = null where account_id = $1', [agency.number])
      await sweep()
      expect(await left(agency)).toEqual(SWEPT)
      expect(await audited(agency)).toEqual(entries)
      expect(await audited(without)).toEqual([])
    },
  )
  it('waits for the night of the account, and removes the next day what became a day older', async () => {
    const agency = await agencyIn('Europe/Istanbul', RULES)
    await fill(agency, BOUNDARIES['Europe/Istanbul'])
    await sweep('2026-11-09T22:59:59Z')
    expect(await left(agency)).toEqual(WHOLE)
    await sweep('2026-11-09T23:00:00Z')
    expect(await left(agency)).toEqual(SWEPT)
    await sweep('2026-11-11T00:00:00Z')
    expect(await left(agency)).toMatchObject({ messages: [], captures: [], requests: [], leads: ['keptwon', 'oldwon'] })
  })
  it('works in batches, and leaves what waits to be sent and the notification that a message was of', async () => {
    const agency = await agencyIn('Europe/Istanbul', RULES)
    await sql(
      `insert into request_log (account_id, at, key_id, method, route, path, duration_ms, address, request_id, row_count)
       select $1, '2026-01-01', uuidv7(), 'GET', '/me', '/me', 1, '::1', n, 0 from generate_series(1, 2500) n`,
      [agency.number],
    )
    const messages = await sql<{ id: string }>(
      `insert into communications (account_id, id, company_id, direction, channel, status, body_plain, thread_id, created_at)
       select $1, id, $2, 'outbound', 'email', 'queued', n, id, '2026-01-01' from (select uuidv7() as id, n from generate_series(1, 2) n) m
       returning id`,
      [agency.number, agency.company.id],
    )
    const [waiting, sent] = messages.map(({ id }) => id)
    await sql('insert into message_sends (account_id, communication_id, transport) values ($1, $2, $3)', [
      agency.number,
      waiting,
      'mail',
    ])
    const customer = await cell.call('POST', '/customers', { key: agency.key, body: { customer: { name: 'Ada' } } })
    const { id } = (customer.body as { data: { id: string } }).data
    const trip = { customer_id: id, title: 'Rome', start_date: '2026-12-01', end_date: '2026-12-03' }
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const made = await cell.call('POST', '/app/v1/trips', { session, body: { trip } })
    expect(made.status).toBe(201)
    const [told] = await sql<{ id: string }>(
      `insert into trip_notifications (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, status, communication_id, next_attempt_at)
       values ($1, $2, 'rebook', 'email', 'traveler', 'end_date', 300, now(), 'sent', $3, now())
       on conflict (account_id, trip_id, kind, audience) do update set communication_id = excluded.communication_id returning id`,
      [agency.number, (made.body as { data: { id: string } }).data.id, sent],
    )
    await sweep()
    expect(await list('select id from communications where account_id = $1', agency.number)).toEqual([waiting])
    expect(
      await sql('select communication_id, trip_id is null as lost from trip_notifications where id = $1', [told?.id]),
    ).toEqual([{ communication_id: null, lost: false }])
    const counts = (await audited(agency)).map(({ details }) => [details.rule, details.removed])
    expect(counts).toEqual([
      ['messages_days', 1],
      ['request_log_days', 1000],
      ['request_log_days', 1000],
      ['request_log_days', 500],
    ])
  })
  it('tells clients of the feed that a lead is gone', async () => {
    const agency = await agencyIn('Europe/Istanbul', RULES)
    await fill(agency, BOUNDARIES['Europe/Istanbul'])
    await sweep()
    const { body } = await cell.call('GET', '/imports/leads/records?limit=100', { key: agency.key })
    const items = (body as { data: { external_id: string; status: string }[] }).data
    const gone = items.filter(({ status }) => status === 'deleted')
    expect(gone.map(({ external_id }) => external_id).toSorted()).toEqual(['oldinbox', 'oldlost'])
    expect(JSON.stringify(gone)).not.toMatch(/Ada|example/)
  })
})

describe('the rules', () => {
  it('are changed by who read them last, and audited with what they were', async () => {
    const agency = await makeAgency(cell)
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const read = async () => (await cell.call('GET', '/app/v1/retention_rules', { session })).body as { data: object }
    const none = Object.fromEntries(RETAINED.map((kind) => [kind, null]))
    expect(await read()).toEqual({ data: { ...none, version: 1, swept_on: null } })
    const first = await put(session, { version: 1, messages_days: 365 })
    expect(first).toMatchObject({ status: 200, data: { ...none, messages_days: 365, version: 2 } })
    const stale = await put(session, { version: 1, messages_days: null })
    expect(stale).toMatchObject({ status: 409, code: 'stale', data: { messages_days: 365, version: 2 } })
    expect(await put(session, { version: 2, leads_days: 90 })).toMatchObject({
      data: { messages_days: 365, leads_days: 90 },
    })
    expect(await put(session, { version: 3, messages_days: null, leads_days: 90 })).toMatchObject({ status: 200 })
    const rows = await sql<{ details: object }>(
      "select details from audit_log where account_id = $1 and action = 'retention_rules.changed' order by id",
      [agency.number],
    )
    expect(rows.map(({ details }) => details)).toEqual([
      { before: { messages_days: null }, after: { messages_days: 365 } },
      { before: { leads_days: null }, after: { leads_days: 90 } },
      { before: { messages_days: 365 }, after: { messages_days: null } },
    ])
  })
  it.each(RETAINED)('refuse %s below and above their limits, and say them', async (kind) => {
    const { minimum, maximum } = RETAINED_KINDS[kind]
    const agency = await makeAgency(cell)
    const session = await signInAs(cell, agency.number, agency.owner.id)
    for (const days of [minimum - 1, maximum + 1, 0, -1, 2_147_483_648, 9_007_199_254_740_991]) {
      const { status, details } = await put(session, { version: 1, [kind]: days })
      expect([days, status, JSON.stringify(details)]).toEqual([
        days,
        422,
        expect.stringContaining(`${minimum} to ${maximum} days`),
      ])
    }
    expect(await put(session, { version: 1, [kind]: minimum })).toMatchObject({ status: 200 })
    expect(await put(session, { version: 2, [kind]: maximum })).toMatchObject({ status: 200 })
  })
})
