import { beforeAll, describe, expect, it } from 'vitest'
import { importQueue } from '../../src/imports/batches/import-queue.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { importables, importing } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { EXAMPLE_HINT } from '../harness/example-makers.ts'
import { exampleOf } from '../harness/examples.ts'
import { routes } from '../harness/routes.ts'
import { ask, askPastWalls } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

type Row = { action: string; key_id: string | null; seat_id: string | null; source: string; details: object }

const OWN_HISTORY = 'the record itself says when it was made and changed, and its deletion is audited'
const MESSAGES = 'a message names its author, and is never changed or deleted'
const READ = 'whether something was read is in the record'
const DELIVERIES = 'each delivery is a row of its own'
/** Writes that leave no row in the audit log, and why. */
const UNAUDITED: Readonly<Record<string, string>> = {
  'POST /customers': OWN_HISTORY,
  'PATCH /customers/:id': OWN_HISTORY,
  'POST /customers/:id/notes': OWN_HISTORY,
  'PATCH /customers/:id/notes/:note_id': OWN_HISTORY,
  'POST /uploads': 'a file belongs to nothing until a record takes it, and is swept away otherwise',
  'POST /leads': OWN_HISTORY,
  'PATCH /leads/:id': OWN_HISTORY,
  'PATCH /leads/:id/transition': 'lead_moves has who moved it, when and why',
  'POST /leads/:id/convert': 'lead_moves has who won it',
  'POST /tasks': OWN_HISTORY,
  'PATCH /tasks/:id': OWN_HISTORY,
  'PATCH /tasks/:id/complete': OWN_HISTORY,
  'PATCH /tasks/:id/reopen': OWN_HISTORY,
  'POST /communications': MESSAGES,
  'POST /communications/:id/mark_read': READ,
  'POST /notifications/:id/mark_read': READ,
  'POST /notifications/mark_all_read': READ,
  'POST /webhooks/:id/deliveries/:delivery_id/redeliver': DELIVERIES,
  'POST /webhooks/:id/redeliver': DELIVERIES,
  'POST /webhooks/:id/test': DELIVERIES,
  'POST /imports/:entity/validate': 'a dry run keeps nothing',
  'POST /ticket_imports/:id/reread':
    'without `commit` it is a dry run; ticket-reread.test.ts looks at the row of one that commits',
  'GET /imports/entities/:key/template.csv': 'a template holds nothing of an account',
}
/** What changes the record of an example; its own body makes it. */
const CHANGES: Readonly<Record<string, object>> = {
  '/webhooks/:id': { events: ['record.created'] },
  '/saved_reports/:id': { saved_report: { name: 'Renamed' } },
}
const PART = 'a part of the record that it names'
const DERIVED = 'it follows from others'
/** Columns that name a customer, a trip or a booking and leave no row when they lose it, and why. */
const LINKS_THAT_STAY: Readonly<Record<string, string>> = {
  'birthday_greetings.customer_id': PART,
  'booking_lines.booking_id': PART,
  'booking_option_warnings.booking_id': PART,
  'customer_invoices.booking_id': 'an invoice stays as it was posted',
  'customers.merged_into_id': 'the merge is audited',
  'referral_codes.trip_id': 'the page that a code shows',
  'share_links.trip_id': 'a link is revoked, which is audited, and never moved',
  'surveys.trip_id': PART,
  'ticket_captures.ticket_sale_id': 'written once',
  'ticket_document_events.booking_id': PART,
  'ticket_numbers.booking_id': PART,
  'trip_bookings.booking_id': 'the key of its row',
  'trip_changes.trip_id': PART,
  'trip_customers.customer_id': 'moved by merges alone',
  'trip_customers.trip_id': PART,
  'trip_days.trip_id': PART,
  'trip_notifications.trip_id': PART,
  'trip_refilings.trip_id': DERIVED,
  'trip_reschedulings.trip_id': DERIVED,
  'trip_segments.booking_id': DERIVED,
  'trip_segments.trip_id': PART,
  'trip_travelers.trip_id': PART,
  'unfiled_bookings.booking_id': DERIVED,
}
/** PUT does the same as PATCH. */
const nameOf = ({ method, path }: Route) => `${method.replace('PUT', 'PATCH')} ${path}`
/** Whatever writes, and whatever answers a file. */
const audited = routes.filter(({ method, answers }) => method !== 'GET' || answers.type !== undefined)

let cell: TestCell
let agency: Agency
let acting: { id: string; key: string }
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  acting = await agency.makeKey({ name: 'Acting' })
})
const rows = (account = agency.number) =>
  ask<Row>(
    cell,
    'select action, key_id, seat_id, source, details from audit_log where account_id = $1 order by created_at, id',
    [account],
  )
/** The rows that some work leaves. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  const { length } = await rows()
  await work()
  return (await rows()).slice(length)
}

describe('the audit log', () => {
  it('has no cases for unknown routes', () => {
    expect(Object.keys(UNAUDITED).filter((name) => !audited.some((route) => nameOf(route) === name))).toEqual([])
  })
  it.each(audited.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s leaves a row that names the key and its seat, or has a reason for none',
    async (_, route) => {
      const name = nameOf(route)
      const example = await exampleOf(route, cell, agency)
      const { params = { ...(await batch()), entity: 'customers', key: 'customers' }, ...call } = example
      const path = route.path.replace(/:(\w+)/g, (_, of: string) => (params as Record<string, string>)[of] ?? 'missing')
      const left = await rowsOf(async () => {
        const changed = ['PATCH', 'PUT'].includes(route.method) && CHANGES[route.path]
        const body = changed ? { body: changed } : {}
        const { status } = await cell.call(route.method, path, { key: acting.key, ...call, ...body })
        expect(status, EXAMPLE_HINT).toBe(route.answers.status)
      })
      const hint = `Call auditOwn in the command, or add '${name}' with a reason to UNAUDITED in test/contract/audit.test.ts`
      expect(
        left.map(({ key_id, seat_id }) => ({ key_id, seat_id })),
        hint,
      ).toEqual(UNAUDITED[name] === undefined ? [{ key_id: acting.id, seat_id: agency.owner.id }] : [])
    },
  )
  /** One that was imported, where the route is about one. */
  async function batch(): Promise<{ id: string }> {
    const { id } = await importRows(cell, agency.key, 'customers', [{ external_id: 'of a batch', name: 'X' }])
    return { id: id as string }
  }

  const post = (path: string, body: object, method = 'POST') => cell.call(method, path, { key: acting.key, body })
  const idOf = async (answer: ReturnType<typeof post>) => ((await answer).body as { data: { id: string } }).data.id
  const customer = () => idOf(post('/customers', { customer: { name: 'Ayşe' } }))

  it.each([
    ['hotel_stays', { check_in_on: '2031-05-10', check_out_on: '2031-05-11' }],
    ['leads', { name: 'Deniz' }],
  ])('has every link to a customer that an import of %s removes, also in the background', async (entity, cells) => {
    const customers = ['A', 'B'].map((external_id) => ({ external_id, name: external_id }))
    await importRows(cell, acting.key, 'customers', customers, { on_conflict: 'skip' })
    const rowsWith = (customer_external_id: string | null) =>
      ['1', '2'].map((external_id) => ({ external_id, ...cells, customer_external_id }))
    await importRows(cell, acting.key, entity, rowsWith('A'))
    const again = (of: string | null, mode: string) =>
      post(`/imports/${entity}`, { rows: rowsWith(of), on_conflict: 'update', mode })
    for (const [of, mode] of [
      ['B', 'sync'],
      [null, 'async'],
    ] as const) {
      const imports = importQueue({ ...cell.deps, ...importing })
      const left = await rowsOf(async () => {
        await again(of, mode)
        for (let job = await imports.claim(); job; job = await imports.claim()) await job(GO_ON)
      })
      const unlinked = left.filter(({ action }) => action === 'customer.unlinked')
      expect(unlinked).toHaveLength(2)
      for (const row of unlinked) {
        expect(row).toMatchObject({ key_id: acting.id, seat_id: agency.owner.id })
        expect((row.details as { to: string | null }).to === null).toBe(of === null)
      }
    }
  })
  it('has every link that a record loses, or a reason for none', async () => {
    const columns = await askPastWalls<{ name: string; audited: boolean }>(
      cell,
      `select f.conrelid::regclass || '.' || a.attname as name, exists (select from pg_trigger t where t.tgrelid = f.conrelid
         and t.tgfoid = 'note_unlinking'::regproc and starts_with(encode(t.tgargs, 'escape'), a.attname || chr(92) || '000')) as audited
       from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
       where f.contype = 'f' and f.confrelid in ('customers'::regclass, 'trips'::regclass, 'bookings'::regclass)
         and a.attname not in ('account_id', 'id') order by 1`,
    )
    const unaudited = columns.flatMap(({ name, audited }) => (audited ? [] : [name]))
    const hint = 'Call audit_unlinking in the migration, or give the reason for no row in LINKS_THAT_STAY of this test'
    expect(unaudited, hint).toEqual(Object.keys(LINKS_THAT_STAY).toSorted())
  })
  it('has one row for a merge, whatever it moves', async () => {
    await importRows(cell, acting.key, 'customers', [{ external_id: 'merged', name: 'Ayşe' }])
    const [{ id: loser } = { id: '' }] = await ask<{ id: string }>(
      cell,
      `select id from customers where account_id = $1 and external_id = 'merged'`,
      [agency.number],
    )
    await importRows(cell, acting.key, 'leads', [{ external_id: 'm', name: 'Ayşe', customer_external_id: 'merged' }])
    const into = await customer()
    await post('/communications', {
      communication: { direction: 'internal', channel: 'phone', customer_id: loser, body_plain: 'x' },
    })
    await post(`/customers/${loser}/notes`, { note: { body: 'x' } })
    const left = await rowsOf(() => post(`/customers/${loser}/merge`, { into_id: into }))
    expect(left).toMatchObject([{ action: 'customer.merged', details: { into } }])
  })
  it('has nothing of a dry run, a refusal or a replay', async () => {
    const rows = importables[0]?.entity.sample.rows
    const headers = { 'idempotency-key': 'once' }
    const once = () => cell.call('POST', '/imports/customers', { key: acting.key, body: { rows }, headers })
    expect(await rowsOf(() => post('/imports/customers/validate', { rows }))).toEqual([])
    expect(await rowsOf(() => post('/customers/01890000-0000-7000-8000-000000000000', {}, 'DELETE'))).toEqual([])
    expect(await rowsOf(once)).toHaveLength(1)
    expect(await rowsOf(once)).toEqual([])
  })
})
