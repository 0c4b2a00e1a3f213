import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { runsOf, settings } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency, type Outcome } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { apply, type Batch, type Expected, emptyWorld, type Kept, type World } from './model.ts'
import { moves } from './model-fields.ts'

const RUNS = runsOf(12)
const COMMANDS = 25
const BATCH = 5

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

const ABSENT = Symbol('absent')
type Cells = Record<string, fc.Arbitrary<unknown>>
/** One of the values, rarely absent, emptied or unreadable. */
const given = (bad: unknown, ...values: unknown[]) =>
  fc.oneof(
    { weight: 150, arbitrary: fc.constantFrom(...values) },
    { weight: 10, arbitrary: fc.constant(ABSENT) },
    { weight: 2, arbitrary: fc.constantFrom(null, bad) },
  )
/** One of the values, mostly absent. */
const seldom = (bad: unknown, ...values: unknown[]) =>
  fc.oneof(
    { weight: 100, arbitrary: fc.constant(ABSENT) },
    { weight: 50, arbitrary: fc.constantFrom(null, ...values) },
    { weight: 1, arbitrary: fc.constant(bad) },
  )
const rowOf = (cells: Cells): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(cells).map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ABSENT)))
const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const statuses = (entity: keyof typeof moves) => [...Object.keys(moves[entity]), 'Cancelled', 'CONFIRMED ']

const customerKeys = ['C0', 'C0', 'C0', 'C1', 'C2', 'nobody', 'ann@x.com', 'BOB@x.com']
const line = (amount: string) => [{ kind: 'other', amount, quantity: 2 }]
const passenger = fc
  .record({
    first_name: fc.constantFrom('Ann', 'Bob'),
    ticket_number: fc.constantFrom(
      ABSENT,
      ABSENT,
      '2350000000001',
      '235-0000000002',
      '235 0000000003',
      '2350000000004',
    ),
    total: fc.constantFrom(ABSENT, '100', '100.00', '100', '100.00', '100', '100.00', '250.50'),
  })
  .map((cells) => ({
    last_name: 'Lee',
    ...Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ABSENT)),
  }))

const rows: Record<Batch['entity'], fc.Arbitrary<Record<string, unknown>>> = {
  customers: rowOf({
    external_id: given(7, ...ids('C', 3)),
    name: given(7, 'Ann', 'Bob'),
    email: seldom('nobody@', 'ann@x.com', 'Ann@x.com', 'bob@x.com'),
    notes: seldom(7, 'one', 'two'),
  }),
  hotel_stays: rowOf({
    external_id: given(7, ...ids('H', 3)),
    check_in_on: given('2026-02-30', '2026-07-10', '2026-07-11'),
    check_out_on: given('2026-02-30', ...Array(9).fill('2026-07-12'), '2026-07-10'),
    guest_count: seldom('many', 2, '2', 3),
    status: seldom('nonesuch', ...statuses('hotel_stays'), ...Array(9).fill('confirmed')),
    customer_external_id: seldom(7, ...customerKeys),
    invoice_date: seldom('today', '2026-05-01', '2026-05-01'),
    currency: seldom('XYZ', 'TRY', 'eur'),
    sell_lines: seldom('none', line('100.00'), line('100'), line('70.55')),
    rooms: seldom(7, [{ name: 'A', nightly_rate: '50.00' }], [{ name: 'B', nightly_rate: '50' }], [{ name: 'A' }]),
    notes: seldom(7, 'one', 'two'),
  }),
  tickets: rowOf({
    external_id: given(7, ...ids('T', 4)),
    passengers: fc.oneof(
      { weight: 20, arbitrary: fc.array(passenger, { minLength: 1, maxLength: 2 }) },
      { weight: 6, arbitrary: fc.constant(ABSENT) },
      { weight: 1, arbitrary: fc.constantFrom(null, [], 7) },
    ),
    status: seldom('nonesuch', ...statuses('tickets'), ...Array(5).fill('issued')),
    option_date: seldom('today', '2026-06-01'),
    pnr: seldom(7, 'ABC', 'DEF'),
    notes: seldom(7, 'one', 'two'),
  }),
  tour_departures: rowOf({
    external_id: given(7, ...ids('D', 2)),
    title: given(7, 'Tour', 'Other tour'),
    max_capacity: seldom('many', 4, '4', 6, 9),
    inventory_state: seldom('nonesuch', ...Object.keys(moves.tour_departures), ...Array(12).fill('open')),
    notes: seldom(7, 'one', 'two'),
  }),
  tour_bookings: rowOf({
    external_id: given(7, ...ids('B', 4)),
    tour_departure_external_id: given(7, ...Array(12).fill('D0'), 'D1', 'D1', 'nowhere'),
    guest_count: given('many', 1, 2, '2', 3),
    status: seldom('nonesuch', ...statuses('tour_bookings'), ...Array(9).fill('confirmed')),
    customer_external_id: seldom(7, ...customerKeys),
    notes: seldom(7, 'one', 'two'),
  }),
}
const batch: fc.Arbitrary<Batch> = fc
  .constantFrom(...(Object.keys(rows) as Batch['entity'][]), 'tour_bookings' as const, 'hotel_stays' as const)
  .chain((entity) =>
    fc.record({
      entity: fc.constant(entity),
      rows: fc.array(rows[entity], { minLength: 1, maxLength: BATCH }),
      onConflict: fc.constantFrom('skip', 'update', 'update'),
    }),
  )
const command = fc.record({ batch, validate: fc.boolean(), again: fc.integer({ min: 0, max: 9 }).map((n) => n === 0) })

const codes = (issues: { code: string }[]) => [...new Set(issues.map(({ code }) => code))].toSorted()
const reported = ({ status, record_status, reason, external_id, errors, warnings }: Outcome): Expected => ({
  external_id,
  status,
  record_status,
  reason,
  errors: codes(errors),
  // A failed row may report what would have happened, or not.
  warnings: status === 'failed' ? [] : codes(warnings),
})

/** Sends the batch, and compares every outcome with the model; a record keeps its id forever. */
async function send(agency: Agency, world: World, { entity, rows, onConflict }: Batch, dryRun: boolean): Promise<void> {
  const known = new Map([...world[entity]].map(([key, { id }]) => [key, id]))
  const expected = apply(world, { entity, rows, onConflict })
  const result = await importRows(cell, agency.key, entity, [...rows], { on_conflict: onConflict }, dryRun)
  expect(result.rows.map(reported)).toEqual(expected)
  for (const { id, external_id, status } of result.rows) {
    const kept = external_id === null ? undefined : world[entity].get(external_id)
    const before = known.get(external_id ?? '')
    if (dryRun || !kept) expect(id).toBe(before ?? null)
    else if (status === 'created') kept.id = id
    else if (kept.id !== null && status !== 'failed') expect(id).toBe(kept.id)
  }
}

async function recordsOf(agency: Agency, entity: string): Promise<Record<string, unknown>[]> {
  const { body } = await cell.call('GET', `/imports/${entity}/records?limit=100`, { key: agency.key })
  return (body as { data: Record<string, unknown>[] }).data
}

type Items = { name?: string; first_name?: string; ticket_number?: string | null }[] | null
/** Items are shown with more fields than a row has; their identity is enough, since the totals cover the amounts. */
const named = (items: unknown) =>
  (items as Items)?.map(({ name, first_name, ticket_number }) => [name, first_name, ticket_number]) ?? null
const ITEMS = ['rooms', 'passengers']

function shown(record: Record<string, unknown>, { fields, booking, held }: Kept): object {
  const { customer, tour_departure } = record as Record<string, { external_id: string } | null>
  const links = {
    customer_external_id: customer?.external_id ?? null,
    tour_departure_external_id: tour_departure?.external_id ?? null,
  }
  const all: Record<string, unknown> = { ...record, ...links }
  return {
    id: record.id,
    status: record.status,
    version: record.version,
    ...Object.fromEntries(
      Object.keys(fields).map((name) => [name, ITEMS.includes(name) ? named(all[name]) : all[name]]),
    ),
    ...(booking && {
      invoiced: record.invoiced,
      isCancelled: record.cancelled_at !== null,
      totals: record.totals,
      sell_lines: undefined,
    }),
    ...(held !== undefined && { held: record.seats_held }),
  }
}

function expected({ id, status, version, fields, booking, held }: Kept): object {
  return {
    id,
    status,
    version,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, ITEMS.includes(name) ? named(value) : value]),
    ),
    ...(booking && {
      invoiced: booking.invoiced,
      isCancelled: status === 'cancelled',
      totals: booking.totals,
      sell_lines: undefined, // which are shown with those of the rooms
    }),
    ...(held !== undefined && { held }),
  }
}

async function readBack(agency: Agency, world: World): Promise<void> {
  for (const entity of Object.keys(world) as Batch['entity'][]) {
    const records = await recordsOf(agency, entity)
    expect(records.map(({ external_id }) => external_id).toSorted()).toEqual([...world[entity].keys()].toSorted())
    for (const record of records) {
      const kept = world[entity].get(String(record.external_id)) as Kept
      expect([entity, record.external_id, shown(record, kept)]).toEqual([entity, record.external_id, expected(kept)])
    }
  }
  await readDocuments(agency, world)
}

/** An invoice for each stay that was ever invoiced and has lines, and a credit note where it was cancelled. */
async function readDocuments({ number }: Agency, world: World): Promise<void> {
  const posted = await withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_system')
    const { rows } = await client.query(
      `select b.external_id, array_agg(i.document_type order by i.document_type desc) as types, sum(i.gross)::numeric(12, 2)::text as gross
       from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
       where i.account_id = $1 group by 1 order by 1`,
      [number],
    )
    return rows
  })
  const due = [...world.hotel_stays]
    .filter(([, { booking }]) => booking?.wasInvoiced && booking.hasLines)
    .map(([external_id, { status, booking }]) => ({
      external_id,
      types: status === 'cancelled' ? ['invoice', 'credit_note'] : ['invoice'],
      gross: status === 'cancelled' ? '0.00' : booking?.totals.sell,
    }))
  expect(posted).toEqual(due.toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1)))
}

/** What most sequences need to get anywhere. */
const BEGINNING: readonly Batch[] = [
  { entity: 'customers', onConflict: 'skip', rows: [{ external_id: 'C0', name: 'Ann', email: 'ann@x.com' }] },
  { entity: 'tour_departures', onConflict: 'skip', rows: [{ external_id: 'D0', title: 'Tour', max_capacity: 4 }] },
]

describe('any sequence of imports', () => {
  it('matches the model, row by row and record by record', { timeout: 60_000 + 5_000 * RUNS }, async () => {
    const commands = fc.noBias(fc.array(command, { minLength: 1, maxLength: COMMANDS, size: 'max' }))
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const agency = await makeAgency(cell)
        const world = emptyWorld()
        for (const batch of BEGINNING) await send(agency, world, batch, false)
        for (const { batch, validate, again } of sequence) {
          if (validate) await send(agency, structuredClone(world), batch, true)
          await send(agency, world, batch, false)
          if (again) await send(agency, world, batch, false)
        }
        await readBack(agency, world)
      }),
      { numRuns: RUNS, seed: settings.seed },
    )
  })
})
