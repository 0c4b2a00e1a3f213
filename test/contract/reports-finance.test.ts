import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { saveRates } from '../../src/features/exchange-rates/exchange-rates.store.ts'
import { type Fixed, fixed } from '../../src/platform/money.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { type Books, type Item, PUBLISHED, readBooks } from '../harness/books.ts'
import { commissions, margins } from '../harness/books-earned.ts'
import { exposure, payables, receivables } from '../harness/books-owed.ts'
import { vat } from '../harness/books-taxed.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { clockedDatabase } from '../harness/database-clock.ts'
import { queryOf, type Report, walkReport } from '../harness/reports.ts'
import { ask } from '../harness/sql.ts'

const RUNS = 8
/** Some are 30, 31, 60, 90 and 91 days apart. */
const DAYS = ['2026-03-02', '2026-03-15', '2026-03-31', '2026-04-01', '2026-04-30', '2026-05-01', '2026-06-30']
const day = fc.constantFrom(...DAYS)
const maybe = <T>(...values: T[]) => fc.constantFrom(null, ...values)
const cents = (min: number, max: number) => fc.integer({ min, max }).map((amount) => (amount / 100).toFixed(2))
/** Without a rate of the dollar, what is in it is not known in the company’s currency. */
const currency = fc.constantFrom('TRY', 'TRY', 'EUR', 'EUR', 'JPY', 'KWD', 'USD')
const line = fc.record({
  kind: fc.constant('other'),
  amount: cents(-9_999, 999_999),
  quantity: fc.integer({ min: 1, max: 5 }),
  vat_rate: maybe('20', '10', '7.7'),
  tax_inclusive: fc.boolean(),
  currency: fc.constantFrom(...Array.from({ length: 6 }, () => null), 'EUR'),
})
const parties = { customer_external_id: maybe('C1', 'C2'), supplier_external_id: maybe('S1', 'S2') }
const stay = fc.record({
  ...parties,
  currency,
  transaction_date: day,
  invoice_date: fc.constantFrom(null, ...DAYS),
  status: fc.constantFrom('option', 'confirmed', 'confirmed', 'no_show'),
  rate_basis: maybe('net', 'commissionable'),
  margin_mode: fc.constantFrom('percent', 'amount'),
  margin_value: fc.constantFrom('0', '7.5', '12'),
  sell_lines: fc.array(line, { maxLength: 3 }),
  cost_lines: fc.array(line, { maxLength: 2 }),
})
const ticket = fc.record({
  ...parties,
  currency: fc.constantFrom('TRY', 'EUR', 'USD'),
  transaction_date: day,
  invoice_date: maybe('2026-03-31'),
  status: fc.constantFrom('draft', 'issued', 'issued', 'partly_voided', 'refunded', 'void'),
  passengers: fc.array(
    fc.record({
      first_name: fc.constant('Ada'),
      last_name: fc.constant('Lovelace'),
      base_fare: cents(0, 99_999),
      total: maybe('512.34'),
      service_fee: maybe('12.34'),
      commission_rate: maybe('7.5'),
      commission_amount: maybe('3.21'),
      document_status: maybe('open', 'void', 'refunded', 'exchanged'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})
/** Whose parts are there or not, and come to the total or not. */
const document = {
  supplier_external_id: fc.constantFrom('S1', 'S2'),
  document_type: fc.constantFrom('invoice', 'invoice', 'credit_note'),
  issued_on: day,
  due_on: fc.constantFrom(null, ...DAYS),
  currency,
  net_amount: maybe('100.00'),
  total_amount: fc.constantFrom('120.00', '-120.00', '99.90'),
  paid_amount: maybe('0.00', '20.00', '120.00', '150.00'),
  status: fc.constantFrom('draft', 'open', 'partially_paid', 'paid', 'disputed', 'void'),
}
const billLine = (stated: boolean) =>
  fc.record({
    amount: fc.constant('60.00'),
    vat_rate: maybe('20', '10'),
    ...(stated && { net_amount: fc.constant('50.00'), vat_amount: fc.constant('10.00') }),
  })
const bill = fc.record({
  ...document,
  vat_amount: maybe('20.00', '0.00'),
  withholding_amount: maybe('5.00'),
  lines: fc.oneof(
    fc.constant(null),
    fc.array(billLine(true), { minLength: 1, maxLength: 2 }),
    fc.array(billLine(false), { minLength: 1, maxLength: 2 }),
  ),
})
const operatorInvoice = fc.record({
  ...document,
  balance_due_on: maybe('2026-05-01'),
  booking: maybe('A0', 'A1'),
  commission_amount: maybe('0.00', '12.34'),
  commission_vat_amount: maybe('2.47'),
})
/** What becomes of a stay, and of its invoices. */
const fate = fc.record({
  cancelled: maybe('2026-04-10', '2026-05-20'),
  paid: fc.constantFrom('nothing', 'a part', 'all', 'more', 'there and back'),
  on: day,
})
const few = <T>(of: fc.Arbitrary<T>, most: number) => fc.array(of, { minLength: 1, maxLength: most })
const book = fc.record({
  stays: few(fc.record({ row: stay, fate, abroad: fc.boolean() }), 7),
  tickets: few(ticket, 3),
  bills: few(bill, 4),
  operators: few(operatorInvoice, 3),
})
type Book = typeof book extends fc.Arbitrary<infer B> ? B : never

/** Each report, what it is asked, what it groups by, and what the books say of it, found another way. */
type Expectation = { query: Record<string, string>; group: string; column: string; sums: string[]; items: Item[] }
const AGING = ['open', 'not_due', 'overdue_1_30', 'overdue_31_60', 'overdue_61_90', 'overdue_over_90']
const SALES = ['net', 'vat', 'gross']
function expectations(books: Books, asOf: string, from: string, to: string): Record<string, Expectation> {
  const [atDay, window] = [{ as_of: asOf }, { from, to }]
  return {
    margin_by_booking: {
      query: window,
      group: 'customer',
      column: 'customer_id',
      sums: ['sell', 'vat', 'sell_net', 'cost', 'margin'],
      items: margins(books, from, to),
    },
    receivables_aging: {
      query: atDay,
      group: 'customer',
      column: 'customer_id',
      sums: ['total', 'credited', 'paid', ...AGING],
      items: receivables(books, asOf),
    },
    payables_aging: {
      query: atDay,
      group: 'supplier',
      column: 'supplier_id',
      sums: ['total', 'paid', ...AGING],
      items: payables(books, asOf),
    },
    currency_exposure: {
      query: atDay,
      group: 'month',
      column: 'month',
      sums: ['receivable', 'payable', 'net'],
      items: exposure(books, asOf),
    },
    vat_summary: {
      query: window,
      group: 'company',
      column: 'company_id',
      sums: [...SALES, ...SALES.map((name) => `purchase_${name}`), 'vat_due'],
      items: vat(books, from, to),
    },
    commission_expected: {
      query: window,
      group: 'source',
      column: 'source',
      sums: ['commission', 'commission_vat', 'commission_gross'],
      items: commissions(books, from, to),
    },
  }
}

describe('the reports of finance', () => {
  let cell: TestCell
  let setClock: (at: string | null) => Promise<void>
  beforeAll(async () => {
    const { connection, set } = await clockedDatabase()
    setClock = set
    cell = await startCell({ connection, deps: { count: uncounted } })
    await cell.deps.db.asSystem('a test needs rates', (tx) =>
      saveRates(tx, { source: 'tcmb', base: 'TRY', rates: PUBLISHED }),
    )
  })

  it('are right to the cent: their rows, each group and the whole, in every currency', async () => {
    await fc.assert(
      fc.asyncProperty(book, day, fc.constantFrom(3, 100), async (made, asOf, limit) => {
        const agency = await makeAgency(cell)
        await keepBook(agency, made)
        const books = await readBooks(cell, agency)
        const all = expectations(books, asOf, '2026-03-01', '2026-03-31')
        for (const [id, { query, group, column, sums, items }] of Object.entries(all)) {
          const { pages, rows } = await walkReport(cell, agency.key, id, queryOf({ ...query, group_by: group }), limit)
          const keyOf = ({ keys }: Item): string | null => keys[group] ?? null
          const isOfKey = (key: string | null) => (item: Item) => keyOf(item) === key
          for (const { totals, groups } of pages) {
            expect([id, totalsIn(totals, sums)]).toEqual([id, totalsOf(items, sums)])
            for (const { key, totals } of groups ?? [])
              expect([id, key, totalsIn(totals, sums)]).toEqual([id, key, totalsOf(items.filter(isOfKey(key)), sums)])
          }
          expect(new Set(rows.map((row) => row[column]))).toEqual(new Set(items.map(keyOf)))
          expect(addedUp(rows, sums)).toEqual(totalsOf(items, sums).byCurrency)
        }
      }),
      { numRuns: RUNS },
    )
  })

  async function keepBook(agency: Agency, { stays, tickets, bills, operators }: Book): Promise<void> {
    const { key, otherCompany } = agency
    const send = async (entity: string, rows: object[], more: object = {}) => {
      if (rows.length === 0) return
      const { rows: outcomes } = await importRows(cell, key, entity, rows, more)
      expect(outcomes.flatMap(({ errors }) => errors)).toEqual([])
    }
    await setClock(null)
    await ask(cell, 'update companies set backdate_invoices = true where account_id = $1', [agency.number])
    await send('customers', [
      { external_id: 'C1', name: 'Ayşe' },
      { external_id: 'C2', name: 'Zoë' },
    ])
    await send('suppliers', [
      { external_id: 'S1', name: 'Hotel' },
      { external_id: 'S2', name: 'Airline' },
    ])
    const nights = { check_in_on: '2026-06-01', check_out_on: '2026-06-03' }
    const rows = stays.map(({ row, ...other }, at) => ({ ...other, row: { external_id: `A${at}`, ...nights, ...row } }))
    const companies = [
      [false, {}],
      [true, { company_id: otherCompany }],
    ] as const
    for (const [abroad, more] of companies) {
      const own = rows.filter((each) => each.abroad === abroad).map(({ row }) => row)
      await send('hotel_stays', own, more)
    }
    await send('tickets', numbered('T', tickets))
    await send('supplier_bills', numbered('B', bills, 'bill_number'))
    await send(
      'operator_invoices',
      numbered('O', operators, 'invoice_number').map(({ booking, ...row }) => ({
        ...row,
        ...(rows.some((each) => each.row.external_id === booking) && {
          booking_entity: 'hotel_stays',
          booking_external_id: booking,
        }),
      })),
    )
    for (const [on, some] of Map.groupBy(rows, ({ fate }) => fate.cancelled)) {
      const cancellable = some.filter(({ row }) => row.status !== 'no_show')
      await setClock(on && `${on}T09:00:00Z`)
      if (on) await send('hotel_stays', cancellable.map(cancelled), { on_conflict: 'update' })
    }
    await setClock(null)
    await pay(agency, new Map(rows.map(({ row, fate }) => [row.external_id, fate])))
  }

  /** Payments as they are after years: parts, too much, and what went back on the credit note. */
  async function pay({ number }: Agency, fates: ReadonlyMap<string, Book['stays'][number]['fate']>): Promise<void> {
    const invoices = await ask<{ id: string; external_id: string; gross: string; note: string | null }>(
      cell,
      `select i.id, b.external_id, i.gross::text, n.id as note from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
         left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id
       where i.account_id = $1 and i.document_type = 'invoice' and i.gross <> 0`,
      [number],
    )
    const shares = { nothing: [], 'a part': [0.25], all: [0.5, 0.5], more: [1.5], 'there and back': [1, -1] }
    const payments = invoices.flatMap(({ id, external_id, gross, note }) => {
      const { paid, on } = fates.get(external_id) ?? { paid: 'nothing', on: '2026-03-02' }
      return shares[paid].map((share) => [share < 0 ? (note ?? id) : id, String(Number(gross) * share), on])
    })
    const columns = [0, 1, 2].map((at) => payments.map((payment) => payment[at]))
    await ask(
      cell,
      `insert into customer_payments (account_id, invoice_id, amount, paid_on, created_by)
       select $1, i.id, round(p.amount, currency_digits(i.currency)), p.day, 'test'
       from unnest($2::uuid[], $3::numeric[], $4::date[]) as p(id, amount, day) join customer_invoices i on i.account_id = $1 and i.id = p.id
       where round(p.amount, currency_digits(i.currency)) <> 0`,
      [number, ...columns],
    )
  }
})

const numbered = <T extends object>(prefix: string, rows: T[], name?: string) =>
  rows.map((row, at) => ({ external_id: `${prefix}${at}`, ...(name && { [name]: `${prefix}-${at}` }), ...row }))
const cancelled = ({ row }: { row: { external_id: string } }) => ({ external_id: row.external_id, status: 'cancelled' })

type Sums = Record<string, Fixed | null>
/** Adds what is known; what nothing is known of has no sum. */
function sum(all: readonly Readonly<Record<string, Fixed | null>>[], names: readonly string[]): Sums {
  const known = (name: string) => all.flatMap((one) => one[name] ?? [])
  return Object.fromEntries(
    names.map((name) => [name, known(name).length === 0 ? null : known(name).reduce((total, one) => total + one, 0n)]),
  )
}
function totalsOf(items: readonly Item[], names: readonly string[]) {
  const bases = new Set(items.map(({ base }) => base))
  const isKnown = bases.size === 1 && items.every(({ inBase }) => names.every((name) => inBase[name] !== null))
  return {
    byCurrency: new Map(
      [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, some]) => [
        currency,
        sum(
          some.map(({ own }) => own),
          names,
        ),
      ]),
    ),
    base: isKnown
      ? {
          currency: [...bases][0],
          ...sum(
            items.map(({ inBase }) => inBase),
            names,
          ),
        }
      : null,
  }
}

type Shown = Readonly<Record<string, unknown>>
const amounts = (shown: Shown, names: readonly string[]): Sums =>
  Object.fromEntries(names.map((name) => [name, shown[name] === null ? null : fixed(String(shown[name]))]))
const totalsIn = (totals: Report['totals'], names: readonly string[]) => ({
  byCurrency: new Map(totals?.by_currency.map((shown) => [String(shown.currency), amounts(shown, names)])),
  base: totals?.base ? { currency: totals.base.currency, ...amounts(totals.base, names) } : null,
})
const addedUp = (rows: Report['rows'], names: readonly string[]) =>
  new Map(
    [...Map.groupBy(rows, ({ currency }) => String(currency))].map(([currency, some]) => [
      currency,
      sum(
        some.map((row) => amounts(row, names)),
        names,
      ),
    ]),
  )
