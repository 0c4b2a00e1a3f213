import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { type Fixed, fixed } from '../../src/platform/money.ts'
import { dayIn } from '../../src/platform/time.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import {
  type Amounts,
  amountsOf,
  type Fed,
  queryOf,
  type Report,
  readBookings,
  walkReport,
} from '../harness/reports.ts'

const RUNS = 8
const ENTITIES = ['hotel_stays', 'transfers', 'tickets', 'car_rentals']
const DAYS = ['2026-03-02', '2026-03-15', '2026-03-31', '2026-04-01', '2026-05-20']
const SALES = {
  sales_by_customer: ['customer', 'customer_id'],
  sales_by_supplier: ['supplier', 'supplier_id'],
  sales_by_advisor: ['advisor', 'advisor_id'],
  sales_by_product: ['product', 'product_key'],
  sales_by_branch: ['branch', 'branch_id'],
  sales_by_destination: ['destination', 'destination'],
} as const
const GROUPS = ['customer', 'supplier', 'advisor', 'product', 'branch', 'company', 'destination', 'currency', 'month']

const day = fc.constantFrom(...DAYS)
const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values)
const line = fc.record({
  kind: fc.constant('other'),
  amount: fc.integer({ min: -99_999, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  quantity: fc.integer({ min: 1, max: 7 }),
  vat_rate: maybe('20', '10', '7.7'),
  tax_inclusive: fc.boolean(),
  currency: fc.constantFrom(...Array.from({ length: 8 }, () => null), 'EUR'),
})
/** Without a rate of the dollar, whatever is sold in it is not known in the company's currency. */
const common = {
  customer_external_id: maybe('C1', 'C2'),
  supplier_external_id: maybe('S1', 'S2', 'S3'),
  assigned_to_email: maybe('advisor@agency.example', 'owner@agency.example'),
  currency: fc.constantFrom('TRY', 'EUR', 'EUR', 'JPY', 'USD'),
  transaction_date: day,
  invoice_date: maybe('2026-03-02', '2026-04-30'),
}
const lines = { sell_lines: fc.array(line, { maxLength: 3 }), cost_lines: fc.array(line, { maxLength: 2 }) }
const status = (firm: string) => fc.constantFrom('draft', 'option', firm, firm, firm, 'cancelled')
const legs = (...airports: string[]) =>
  airports.slice(1).map((arrival_airport, at) => ({
    airline_code: 'TK',
    flight_number: '1',
    departure_airport: airports[at],
    arrival_airport,
    ...(at === 0 && { scheduled_departure: '2026-04-01T09:00' }),
  }))
const booking = fc.oneof(
  fc.record({
    entity: fc.constant('hotel_stays'),
    ...common,
    ...lines,
    status: status('confirmed'),
    check_in_on: day,
    check_out_on: fc.constant('2026-06-01'),
  }),
  fc.record({
    entity: fc.constant('transfers'),
    ...common,
    ...lines,
    status: status('completed'),
    pickup_at: day.map((on) => `${on}T22:30:00Z`),
    pickup_location: fc.constant('Airport'),
    dropoff_location: fc.constantFrom('Bodrum, TR', 'Old town'),
  }),
  fc.record({
    entity: fc.constant('car_rentals'),
    ...common,
    ...lines,
    status: status('no_show'),
    pickup_at: maybe('2026-03-31T20:59:00Z', '2026-03-31T21:00:00Z'),
    pickup_location: maybe('Bodrum, TR'),
  }),
  fc.record({
    entity: fc.constant('tickets'),
    ...common,
    currency: fc.constantFrom('TRY', 'EUR', 'USD'),
    status: fc.constantFrom('draft', 'issued', 'issued', 'void', 'refunded', 'exchanged', 'partly_voided'),
    legs: fc.constantFrom([], legs('IST', 'LHR', 'IST'), legs('IST', 'FRA', 'JFK'), legs('IST', 'XXX')),
    passengers: fc.array(
      fc.record({
        first_name: fc.constant('Ada'),
        last_name: fc.constant('Lovelace'),
        total: fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2)),
        service_fee: maybe('12.34'),
        commission_rate: maybe('7.5'),
        base_fare: maybe('100.01'),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
)
/** Rows sent again for a booking: another day or person, or its cancellation. */
const amendment = fc.option(
  fc.record(
    {
      status: fc.constant('cancelled'),
      transaction_date: day,
      customer_external_id: maybe('C1', 'C2'),
      supplier_external_id: maybe('S1', 'S2'),
    },
    { requiredKeys: [] },
  ),
)
const book = fc.array(fc.record({ row: booking, amendment, abroad: fc.boolean() }), { minLength: 5, maxLength: 14 })
const question = fc.record({
  window: fc.constantFrom(['2026-03-01', '2026-03-31'], ['2026-03-15', '2026-04-01'], ['2026-01-01', '2026-12-31']),
  date_basis: fc.constantFrom('transaction', 'transaction', 'travel_start'),
  group_by: fc.option(fc.constantFrom(...GROUPS)),
  entity: fc.option(fc.constantFrom(...ENTITIES), { freq: 3 }),
  currency: fc.option(fc.constantFrom('TRY', 'EUR'), { freq: 3 }),
  limit: fc.constantFrom(2, 100),
})

describe('the reports of sales', () => {
  let cell: TestCell
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    await cell.deps.db.asSystem('a test needs rates', (tx) =>
      saveRates(tx, {
        source: 'tcmb',
        base: 'TRY',
        rates: [
          { currency: 'EUR', day: '2026-03-01', baseUnits: '47.1234', currencyUnits: '1' },
          { currency: 'EUR', day: '2026-03-15', baseUnits: '48.005', currencyUnits: '1' },
          { currency: 'JPY', day: '2026-03-01', baseUnits: '29.9871', currencyUnits: '100' },
        ],
      }),
    )
  })

  it('are right to the cent, whatever happened to the bookings', async () => {
    await fc.assert(
      fc.asyncProperty(book, question, async (made, { window: [from, to], limit, ...asked }) => {
        const agency = await makeAgency(cell)
        await importBook(cell, agency, made)
        const bookings = await readBookings(cell, agency, ENTITIES)
        expect(bookings).toHaveLength(made.length)
        const sold = bookings.filter((fed) => isAsked(fed, { from: String(from), to: String(to), ...asked }))
        for (const [id, [own, column]] of Object.entries(SALES)) {
          const group = asked.group_by === own ? null : asked.group_by
          const query = queryOf({ from, to, ...asked, group_by: group })
          const { pages, rows } = await walkReport(cell, agency.key, id, query, limit)
          const keyOf = (fed: Fed, name: string | null) =>
            name === null ? null : keyIn(agency, name, fed, asked.date_basis)
          const expected = Map.groupBy(sold, (fed) =>
            [keyOf(fed, group), keyOf(fed, own), fed.currency].map(String).join(' | '),
          )
          const shown = rows.map((row) => [
            [row.group_key ?? null, row[column] ?? null, row.currency].map(String).join(' | '),
            amountsIn(row),
          ])
          expect(new Map(shown as [string, object][])).toEqual(mapValues(expected, ownSums))
          expect(rows).toHaveLength(expected.size)
          for (const page of pages) {
            const unpriced = sold.filter((fed) => amountsOf(fed, 'own') === null).length
            expect(page.summary).toEqual({ rows: expected.size, bookings: sold.length, unpriced })
            expect(totalsIn(page.totals)).toEqual(totalsOf(sold))
            for (const { key, totals } of page.groups ?? [])
              expect(totalsIn(totals)).toEqual(totalsOf(sold.filter((fed) => keyOf(fed, group) === key)))
          }
        }
      }),
      { numRuns: RUNS },
    )
  })
})

type Made = { row: { entity: string }; amendment: object | null; abroad: boolean }
/** Imports a book, and then the repeated rows. */
async function importBook(cell: TestCell, agency: Agency, made: readonly Made[]): Promise<void> {
  const { key, otherCompany } = agency
  await importRows(cell, key, 'customers', [
    { external_id: 'C1', name: 'Ayşe' },
    { external_id: 'C2', name: 'Zoë' },
  ])
  await importRows(cell, key, 'suppliers', [
    { external_id: 'S1', name: 'Hotel', address_city: 'Bodrum', country_code: 'TR' },
    { external_id: 'S2', name: 'Airline', country_code: 'DE' },
    { external_id: 'S3', name: 'Nowhere' },
  ])
  const rows = made.map((of, at) => ({ ...of, external_id: `B${at}` }))
  for (const [entity, own] of Map.groupBy(rows, ({ row }) => row.entity)) {
    for (const [abroad, some] of Map.groupBy(own, (of) => of.abroad)) {
      const more = { on_conflict: 'update', ...(abroad && { company_id: otherCompany }) }
      const created = some.map(({ row: { entity: _, ...row }, external_id }) => ({ external_id, ...row }))
      const { rows: outcomes } = await importRows(cell, key, entity, created, more)
      expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
      const again = some.flatMap(({ amendment, external_id }) => (amendment ? [{ external_id, ...amendment }] : []))
      if (again.length > 0) await importRows(cell, key, entity, again, more)
    }
  }
}

const LEFT_OUT = ['draft', 'option', 'cancelled', 'void']
type Asked = { from: string; to: string; date_basis: string; entity: string | null; currency: string | null }
function isAsked(fed: Fed, { from, to, date_basis, entity, currency }: Asked): boolean {
  const on = date_basis === 'transaction' ? fed.transaction_date : travelsOn(fed)
  if (LEFT_OUT.includes(fed.status) || on === null || on < from || on > to) return false
  return (entity === null || fed.entity === entity) && (currency === null || fed.currency === currency)
}

const legsOf = (fed: Fed) => (fed.legs ?? []) as { arrival_airport: string }[]
function travelsOn(fed: Fed): string | null {
  if (fed.entity === 'hotel_stays') return String(fed.check_in_on)
  if (fed.entity === 'tickets') return legsOf(fed).length > 0 ? '2026-04-01' : null
  return fed.pickup_at === null ? null : dayIn('Europe/Istanbul', Date.parse(String(fed.pickup_at)))
}

const AIRPORTS: Record<string, string> = { LHR: 'London, GB', IST: 'London, GB', JFK: 'New York, US', XXX: 'XXX' }
const PLACES: Record<string, string> = { S1: 'Bodrum, TR', S2: 'DE' }
function destinationOf(fed: Fed): string | null {
  const last = legsOf(fed).at(-1)
  const own = last ? AIRPORTS[last.arrival_airport] : (fed.dropoff_location ?? fed.pickup_location)
  return (own as string | null) ?? PLACES[(fed.supplier as { external_id?: string } | null)?.external_id ?? ''] ?? null
}

function keyIn(agency: Agency, name: string, fed: Fed, basis: string): string | null {
  const advisors: Record<string, string> = {
    'advisor@agency.example': agency.advisor,
    'owner@agency.example': agency.owner.id,
  }
  const keys: Record<string, string | null | undefined> = {
    customer: fed.customer?.id,
    supplier: fed.supplier?.id,
    advisor: advisors[fed.assigned_to_email ?? ''],
    product: fed.entity,
    branch: fed.branch_id,
    company: fed.company_id,
    destination: destinationOf(fed),
    currency: fed.currency,
    month: (basis === 'transaction' ? fed.transaction_date : travelsOn(fed))?.slice(0, 7),
  }
  return keys[name] ?? null
}

const NOTHING: Amounts = { sell: 0n, vat: 0n, cost: 0n, margin: 0n }
const UNKNOWN = { sell: null, vat: null, cost: null, margin: null }
const add = (sums: Amounts, more: Amounts): Amounts => ({
  sell: sums.sell + more.sell,
  vat: sums.vat + more.vat,
  cost: sums.cost + more.cost,
  margin: sums.margin + more.margin,
})
const isKnown = (amounts: Amounts | null): amounts is Amounts => amounts !== null
/** Bookings without amounts are counted, and add nothing. */
function ownSums(bookings: readonly Fed[]): object {
  const known = bookings.map((fed) => amountsOf(fed, 'own')).filter(isKnown)
  return { bookings: bookings.length, ...(known.length > 0 ? known.reduce(add, NOTHING) : UNKNOWN) }
}

/** The totals of bookings: by currency, and in the company's where one company's rates are all known. */
function totalsOf(bookings: readonly Fed[]) {
  const company = new Set(bookings.map((fed) => fed.company_totals.currency))
  const base = bookings.map((fed) => amountsOf(fed, 'company'))
  const isComplete = company.size === 1 && base.every(isKnown)
  return {
    byCurrency: mapValues(
      Map.groupBy(bookings, ({ currency }) => currency),
      ownSums,
    ),
    base: isComplete ? { currency: [...company][0], ...base.filter(isKnown).reduce(add, NOTHING) } : null,
  }
}

const amount = (value: unknown): Fixed | null => (value === null ? null : fixed(String(value)))
const amounts = ({ sell, vat, cost, margin }: Readonly<Record<string, unknown>>) => ({
  sell: amount(sell),
  vat: amount(vat),
  cost: amount(cost),
  margin: amount(margin),
})
const amountsIn = (row: Readonly<Record<string, unknown>>): object => ({ bookings: row.bookings, ...amounts(row) })
const totalsIn = (totals: Report['totals']) => ({
  byCurrency: new Map(totals?.by_currency.map((sums) => [String(sums.currency), amountsIn(sums)])),
  base: totals?.base ? { currency: totals.base.currency, ...amounts(totals.base) } : null,
})

const mapValues = <K, V, W>(map: ReadonlyMap<K, V>, of: (value: V) => W): Map<K, W> =>
  new Map([...map].map(([key, value]) => [key, of(value)]))
