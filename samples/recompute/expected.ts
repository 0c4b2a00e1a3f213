import { baseOf, countsOf, type Item, printed, type Sums, sumsOf } from './item.ts'
import { type Asked, inWindow, type Recomputed } from './recomputed.ts'

/** A row that the report should have, and the group that it is in. */
export type Row = Item & { readonly group: readonly [key: string | null, name: string | null] }

const DATES = new Set(['from', 'to', 'date_basis', 'group_by', 'as_of', 'tolerance'])
/**
 * Whether an item matches the request. An unknown filter throws, since the check would otherwise pass without testing
 * it.
 */
function isAsked({ about, dates }: Item, asked: Asked): boolean {
  const basis = asked.date_basis ?? Object.keys(dates ?? {})[0]
  if (dates && basis && !inWindow(dates[basis] ?? null, asked)) return false
  return Object.entries(asked).every(([name, value]) => {
    if (value === null || DATES.has(name)) return true
    if (!(name in about)) throw new Error(`The filter ${name} is not recomputed.`)
    return [value].flat().includes(String(about[name]))
  })
}

/** The rows that a report should have. */
export function rowsOf({ sum }: Recomputed, items: readonly Item[], asked: Asked): Row[] {
  const grouping = asked.group_by ?? null
  const found = items
    .filter((item) => isAsked(item, asked))
    .map((item): Row => ({ ...item, group: grouping === null ? [null, null] : groupOf(item, grouping) }))
  if (!sum) return found
  const same = Map.groupBy(found, ({ cells, currency, group }) => JSON.stringify([cells, currency, group]))
  return [...same.values()].map((of) => {
    const row = { ...(of[0] as Row), sums: sumsOf(of), base: baseOf(of), counts: countsOf(of) }
    return { ...row, cells: { ...row.cells, ...sum(row, of, found) } }
  })
}

function groupOf({ groups }: Item, grouping: string): Row['group'] {
  const group = groups[grouping]
  if (!group) throw new Error(`The grouping ${grouping} is not recomputed.`)
  const [key, name = key] = group
  return [key, name]
}

const printedSums = (sums: Sums, currency: string | null) =>
  Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, typeof sum === 'bigint' ? printed(sum, currency) : sum]),
  )

/** A row as the report prints it; `columns` are those that it has. */
export function cellsOf({ cells, sums, currency, group: [key, name] }: Row, columns: readonly string[]): string {
  const row: Record<string, unknown> = {
    currency,
    group_key: key,
    group_name: name,
    ...cells,
    ...printedSums(sums, currency),
  }
  return JSON.stringify(columns.map((column) => (column in row ? row[column] : `${column} is not recomputed`)))
}

/** The totals of rows as a report prints them: whole numbers, by currency, and in the company’s currency. */
export function totalsOf(rows: readonly Row[], names: readonly string[]) {
  const currencies = [...new Set(rows.flatMap(({ currency }) => currency ?? []))].toSorted()
  const whole = names.filter((name) => name !== 'by_currency' && name !== 'base')
  const all = sumsOf(rows)
  const base = baseOf(rows)
  return {
    ...Object.fromEntries(whole.map((name) => [name, all[name] ?? 0])),
    by_currency: currencies.map((currency) => ({
      currency,
      ...printedSums(sumsOf(rows.filter((row) => row.currency === currency)), currency),
    })),
    base: base && { currency: base.currency, ...printedSums(base.sums, base.currency) },
  }
}
