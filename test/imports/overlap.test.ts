import { beforeAll, describe, expect, it } from 'vitest'
import { type Random, seeded, shuffled } from '../../demo/random.ts'
import { runsOf, settings } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency, type Outcome, type Result } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask as askCell } from '../harness/sql.ts'

type Row = { external_id: string; status?: string } & Record<string, unknown>
/** Rows of one entity and company, and the ones that an update cancels. */
type Pool = { entity: string; company: string; rows: Row[]; cancelled: ReadonlySet<string> }
type Batch = { agency: Agency; pool: Pool; rows: Row[]; update: boolean }

const SEEDS = Array.from({ length: runsOf(2) }, (_, at) => settings.seed + at)
const CLIENTS = 8
const ROWS = 36
const BATCH = 15
/** Of which the first is too small for its bookings. */
const CAPACITIES = [15, 40, 60]

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

const ask = <T>(sql: string, values: unknown[]) => askCell<T>(cell, sql, values)
const numbered = (count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at))
const customers = numbered(6, (at) => ({ external_id: `C${at}`, name: `Customer ${at}`, notes: `Note ${at}` }))
const suppliers = numbered(3, (at) => ({ external_id: `S${at}`, name: `Supplier ${at}` }))
const departures = numbered(CAPACITIES.length, (at) => ({
  external_id: `TD${at}`,
  title: `Tour ${at}`,
  max_capacity: CAPACITIES[at],
  inventory_state: 'open',
}))
const sold = (entity: string, at: number, status: string, more: object): Row => ({
  external_id: `${entity}/${at}`,
  customer_external_id: `C${at % 6}`,
  supplier_external_id: `S${at % 3}`,
  status,
  currency: 'TRY',
  invoice_date: `202${6 + (at % 2)}-03-01`,
  ...more,
})
const lines = [{ kind: 'other', amount: '100.00' }]

/** Every third row of a vertical belongs to the other company, and some are cancelled by those who update. */
function poolsOf({ company, otherCompany }: Agency): Pool[] {
  const verticals: Record<string, (at: number) => Row> = {
    hotel_stays: (at) =>
      sold('hotel_stays', at, 'confirmed', {
        check_in_on: '2026-07-10',
        check_out_on: '2026-07-12',
        travelers: [{ first_name: 'A', last_name: 'B', passport_number: `P${at}` }],
        sell_lines: lines,
        cost_lines: lines,
      }),
    tickets: (at) =>
      sold('tickets', at, 'issued', {
        passengers: [
          { first_name: 'A', last_name: 'B', ticket_number: `235${String(at).padStart(10, '0')}`, total: '90.00' },
        ],
      }),
    tour_bookings: (at) =>
      sold('tour_bookings', at, 'confirmed', {
        tour_departure_external_id: `TD${at % CAPACITIES.length}`,
        guest_count: 1 + (at % 4),
        sell_lines: lines,
      }),
  }
  const bookings = Object.entries(verticals).flatMap(([entity, row]) =>
    [company.id, otherCompany].map((id) => ({
      entity,
      company: id,
      rows: numbered(ROWS, row).filter((_, at) => (at % 3 === 0) === (id === otherCompany)),
    })),
  )
  return [
    { entity: 'customers', company: company.id, rows: customers, cancelled: new Set<string>() },
    { entity: 'tour_departures', company: company.id, rows: departures, cancelled: new Set<string>() },
    ...bookings.map((pool) => ({
      ...pool,
      cancelled: new Set(pool.rows.filter((_, at) => at % 5 === 0).map(({ external_id }) => external_id)),
    })),
  ]
}

/** All rows of every pool in shuffled batches, in which some of them come twice. */
function batchesOf(random: Random, agency: Agency): Batch[] {
  const batches = poolsOf(agency).flatMap((pool) => {
    const update = random.chance(0.5)
    const rows = shuffled(random, pool.rows).map((row) =>
      update && pool.cancelled.has(row.external_id) ? { ...row, status: 'cancelled' } : row,
    )
    return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => {
      const part = rows.slice(at * BATCH, (at + 1) * BATCH)
      return { agency, pool, update, rows: [...part, ...shuffled(random, part).slice(0, 3)] }
    })
  })
  return shuffled(random, batches)
}

const sendBatch = async ({ agency, pool, rows, update }: Batch): Promise<Result> =>
  importRows(cell, agency.key, pool.entity, rows, {
    company_id: pool.company,
    on_conflict: update ? 'update' : 'skip',
  })

/** Each client sends its batches one after the other, all clients at once. */
async function storm(seed: number, agencies: readonly Agency[]): Promise<Map<number, Map<string, Outcome[]>>> {
  const outcomes = new Map(agencies.map(({ number }) => [number, new Map<string, Outcome[]>()]))
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const random = seeded(seed * CLIENTS + client)
      for (const batch of batchesOf(random, agencies[client % agencies.length] as Agency)) {
        const { rows } = await sendBatch(batch)
        const own = outcomes.get(batch.agency.number) as Map<string, Outcome[]>
        for (const outcome of rows) {
          const key = `${batch.pool.entity} ${outcome.external_id}`
          own.set(key, [...(own.get(key) ?? []), outcome])
        }
      }
    }),
  )
  return outcomes
}

/** The numbers of a series in their order, by company and year: 1, 2, 3 … */
const numbersOf = (account: number, type: string) =>
  ask<{ company_id: string; year: string; numbers: number[] }>(
    `select company_id, substring(number from '-(\\d{4})-') as year,
       array_agg(substring(number from '(\\d+)$')::integer order by number) as numbers
     from customer_invoices where account_id = $1 and document_type = $2 group by 1, 2`,
    [account, type],
  )
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

describe.each([
  ['one account', 1],
  ['two accounts', 2],
])('overlapping batches of %s, sent by eight clients at once', (_, accounts) => {
  it.each(SEEDS)('end as if they had come one by one (seed %i)', { timeout: 120_000 }, async (seed) => {
    const agencies = await Promise.all(Array.from({ length: accounts }, () => makeAgency(cell)))
    for (const { key } of agencies)
      for (const [entity, rows] of Object.entries({ customers, suppliers, tour_departures: departures }))
        await importRows(cell, key, entity, rows)
    const outcomes = await storm(seed, agencies)
    for (const agency of agencies) {
      const pools = poolsOf(agency)
      // One more client that sends everything with updates, for rows that none of the eight has cancelled.
      for (const pool of pools.filter(({ cancelled }) => cancelled.size > 0)) {
        const rows = pool.rows
          .filter(({ external_id }) => pool.cancelled.has(external_id))
          .map((row) => ({ ...row, status: 'cancelled' }))
        await sendBatch({ agency, pool, rows, update: true })
      }
      for (const [key, results] of outcomes.get(agency.number) as Map<string, Outcome[]>) {
        expect([key, results.filter(({ status }) => status === 'failed')]).toEqual([key, []])
        const isThere = key.startsWith('customers') || key.startsWith('tour_departures')
        expect([key, results.filter(({ status }) => status === 'created').length]).toEqual([key, isThere ? 0 : 1])
        expect([key, new Set(results.map(({ id }) => id)).size]).toEqual([key, 1])
      }
      await expectRecords(agency, pools)
      await expectDocuments(agency, pools)
      await expectHeld(agency, pools)
    }
  })
})

const isBooking = ({ cancelled }: Pool) => cancelled.size > 0

/** Every row is one record, as the last of its clients wanted it. */
async function expectRecords({ number }: Agency, pools: Pool[]): Promise<void> {
  const bookings = await ask<{ entity: string; external_id: string; company_id: string; status: string }>(
    'select entity, external_id, company_id, status from bookings where account_id = $1 order by entity, external_id',
    [number],
  )
  const expected = pools.filter(isBooking).flatMap(({ entity, company, rows, cancelled }) =>
    rows.map(({ external_id, status }) => ({
      entity,
      external_id,
      company_id: company,
      status: cancelled.has(external_id) ? 'cancelled' : status,
    })),
  )
  const keyOf = ({ entity, external_id }: { entity: string; external_id: string }) => `${entity} ${external_id}`
  const sorted = <T extends { entity: string; external_id: string }>(list: T[]) =>
    list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  expect(sorted(bookings)).toEqual(sorted(expected))
  expect(
    await ask(
      `select (select count(*)::integer from customers where account_id = $1) as customers,
         (select count(*)::integer from tour_departures where account_id = $1) as departures,
         (select count(*)::integer from customer_notes where account_id = $1) as notes,
         (select count(*)::integer from travelers where account_id = $1 and passport_number is not null) as travelers,
         (select max(version) from customers where account_id = $1) as version`,
      [number],
    ),
  ).toEqual([
    {
      customers: customers.length,
      departures: departures.length,
      notes: customers.length,
      travelers: ROWS,
      version: 1,
    },
  ])
}

/** One invoice for each booking that was confirmed, one credit note for each that was cancelled after, and no gap. */
async function expectDocuments({ number }: Agency, pools: Pool[]): Promise<void> {
  const invoices = await ask<{ entity: string; external_id: string; invoices: number; notes: number }>(
    `select b.entity, b.external_id, count(*) filter (where i.document_type = 'invoice')::integer as invoices,
       count(*) filter (where i.document_type = 'credit_note')::integer as notes
     from bookings b left join customer_invoices i on i.account_id = b.account_id and i.booking_id = b.id
     where b.account_id = $1 group by b.id, b.entity, b.external_id`,
    [number],
  )
  for (const { entity, external_id, invoices: posted, notes } of invoices) {
    const isCancelled = pools.some((pool) => pool.entity === entity && pool.cancelled.has(external_id))
    const results = [external_id, posted, notes]
    // A booking whose first row was the cancelled one was never invoiced.
    if (isCancelled)
      expect([
        [external_id, 1, 1],
        [external_id, 0, 0],
      ]).toContainEqual(results)
    else expect(results).toEqual([external_id, 1, 0])
  }
  for (const [type, count] of [
    ['invoice', invoices.reduce((sum, booking) => sum + booking.invoices, 0)],
    ['credit_note', invoices.reduce((sum, booking) => sum + booking.notes, 0)],
  ] as const) {
    const series = await numbersOf(number, type)
    expect(series.reduce((sum, { numbers }) => sum + numbers.length, 0)).toBe(count)
    for (const { numbers } of series) expect(numbers).toEqual(upTo(numbers.length))
  }
  const bills = await ask<{ company_id: string; numbers: number[] }>(
    `select company_id, substring(bill_number from '-(\\d{4})-') as year,
       array_agg(substring(bill_number from '(\\d+)$')::integer order by bill_number) as numbers
     from supplier_bills where account_id = $1 group by 1, 2`,
    [number],
  )
  for (const { numbers } of bills) expect(numbers).toEqual(upTo(numbers.length))
}

/** Seats and ticket numbers are those of the bookings that are not cancelled. */
async function expectHeld({ number }: Agency, pools: Pool[]): Promise<void> {
  const alive = (entity: string) =>
    pools
      .filter((pool) => pool.entity === entity)
      .flatMap(({ rows, cancelled }) => rows.filter(({ external_id }) => !cancelled.has(external_id)))
  const held = departures.map(({ external_id }) =>
    alive('tour_bookings')
      .filter((row) => row.tour_departure_external_id === external_id)
      .reduce((sum, { guest_count }) => sum + Number(guest_count), 0),
  )
  expect(
    await ask(
      'select external_id, seats_held, inventory_state from tour_departures where account_id = $1 order by external_id',
      [number],
    ),
  ).toEqual(
    departures.map(({ external_id }, at) => ({
      external_id,
      seats_held: held[at],
      inventory_state: at === 0 ? 'sold_out' : 'open',
    })),
  )
  const numbers = await ask<{ number: string }>('select number from ticket_numbers where account_id = $1 order by 1', [
    number,
  ])
  expect(numbers.map(({ number }) => number)).toEqual(
    alive('tickets')
      .map(({ passengers }) => (passengers as { ticket_number: string }[])[0]?.ticket_number)
      .toSorted(),
  )
}
