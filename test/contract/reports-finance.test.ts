import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Fixed, fixed } from '../../src/platform/money.ts'
import { makeAgency } from '../harness/agency.ts'
import { type Books, type Item, readBooks } from '../harness/books.ts'
import { commissions, margins } from '../harness/books-earned.ts'
import { exposure, payables, receivables } from '../harness/books-owed.ts'
import { vat } from '../harness/books-taxed.ts'
import type { TestCell } from '../harness/cell.ts'
import { DAYS, financeBook, keepFinanceBook, startFinanceCell } from '../harness/finance-book.ts'
import { queryOf, type Report, walkReport } from '../harness/reports.ts'

const RUNS = 8
const day = fc.constantFrom(...DAYS)

/** Each report, its request, its groups, and the values from the books, found in a different way. */
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
    const started = await startFinanceCell()
    cell = started.cell
    setClock = started.setClock
  })

  it('are right to the cent: their rows, each group and the whole, in every currency', async () => {
    await fc.assert(
      fc.asyncProperty(financeBook, day, fc.constantFrom(3, 100), async (made, asOf, limit) => {
        const agency = await makeAgency(cell)
        await keepFinanceBook({ cell, setClock }, agency, made)
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
})

type Sums = Record<string, Fixed | null>
/** Sums known values; without any, there is no sum. */
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
