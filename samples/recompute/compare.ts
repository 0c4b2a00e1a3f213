import type { Page, Report } from './asked.ts'
import { cellsOf, type Row, totalsOf } from './expected.ts'

/** The differences between a report and the books; empty if there are none. */
export function differences({ pages, isWhole }: Report, expected: readonly Row[], words: readonly string[]): string[] {
  const [page] = pages
  if (!page) return ['there is no page']
  const columns = page.columns.map(({ key }) => key).filter((key) => !words.includes(key))
  const shown = pages
    .flatMap(({ rows }) => rows)
    .map((row) => JSON.stringify(columns.map((column) => row[column] ?? null)))
  return [
    ...rowDifferences(
      shown,
      expected.map((row) => cellsOf(row, columns)),
      isWhole,
    ),
    ...pages.flatMap((page) => [
      ...summaryDifferences(page, expected),
      ...(page.totals === null ? [] : differs('totals', page.totals, totalsOf(expected, Object.keys(page.totals)))),
    ]),
    ...groupDifferences(pages, expected, isWhole),
  ]
}

function rowDifferences(shown: readonly string[], expected: readonly string[], isWhole: boolean): string[] {
  const left = new Map<string, number>()
  for (const row of expected) left.set(row, (left.get(row) ?? 0) + 1)
  const wrong = shown.flatMap((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count > 0 ? [] : [`a row that should not be there: ${row}`]
  })
  const missing = [...left].flatMap(([row, count]) => (count > 0 ? [`a row is missing: ${row}`] : []))
  return isWhole ? [...wrong, ...missing] : wrong
}

function summaryDifferences({ summary }: Page, expected: readonly Row[]): string[] {
  const counted = Object.keys(summary).filter((name) => name !== 'rows')
  const counts = counted.map((name) => [name, expected.reduce((sum, row) => sum + (row.counts?.[name] ?? 0), 0)])
  return differs('summary', summary, { rows: expected.length, ...Object.fromEntries(counts) })
}

function groupDifferences(pages: readonly Page[], expected: readonly Row[], isWhole: boolean): string[] {
  if (!pages[0]?.groups) return []
  const byKey = Map.groupBy(expected, ({ group: [key] }) => key)
  const shown = pages.flatMap(({ groups }) => groups ?? [])
  const missing = [...byKey.keys()].filter((key) => !shown.some((group) => group.key === key))
  return [
    ...(isWhole ? missing.map((key) => `the group ${key} is missing`) : []),
    ...shown.flatMap(({ key, label, count, totals }) => {
      const rows = byKey.get(key) ?? []
      const own = { label: rows[0]?.group[1] ?? null, count: rows.length, totals: totalsOf(rows, Object.keys(totals)) }
      return differs(`group ${key}`, { label, count, totals }, own)
    }),
  ]
}

const differs = (what: string, shown: unknown, expected: unknown): string[] => {
  const [one, other] = [sorted(shown), sorted(expected)]
  return one === other ? [] : [`${what}: the report says ${one}, the books ${other}`]
}

/** JSON whose keys are in their order, so that equal things are equal texts. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
