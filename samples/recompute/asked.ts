import type { ApiClient } from '#client/import/api-client.ts'
import type { Books } from './books.ts'
import type { Item } from './item.ts'
import type { Asked, Recomputed } from './recomputed.ts'

/** A preset as the catalogue of reports shows it. */
export type Entry = {
  readonly key: string
  readonly filters: readonly {
    readonly key: string
    readonly type: string
    readonly default: string | null
    readonly options?: readonly string[]
    readonly multiple: boolean
  }[]
}
type Totals = {
  readonly by_currency: readonly Readonly<Record<string, string | number | null>>[]
  readonly base: Readonly<Record<string, string | null>> | null
} & Readonly<Record<string, unknown>>
export type Page = {
  readonly columns: readonly { readonly key: string; readonly type: string }[]
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
  readonly summary: Readonly<Record<string, number>>
  readonly filters: Asked
  readonly pagination: { readonly next_cursor: string | null } | null
  readonly groups:
    | readonly {
        readonly key: string | null
        readonly label: string | null
        readonly count: number
        readonly totals: Totals
      }[]
    | null
  readonly totals: Totals | null
}
export type Report = { readonly pages: readonly Page[]; readonly isWhole: boolean }

/** The two years of the acceptance data, a quarter and a month of it, and one day of the agings. */
const WHOLE = { from: '2025-06-01', to: '2027-05-31' }
const QUARTER = { from: '2026-04-01', to: '2026-06-30' }
const MONTH = { from: '2026-02-01', to: '2026-02-28' }
const DAYS = ['2026-01-31', '2026-06-30']
const TOLERANCE = '5.00'

/** What a preset is asked: several windows and dates, then each grouping, and each filter with what the books have. */
export function casesOf({ filters }: Entry, { items }: Recomputed, books: Books): Record<string, string>[] {
  const has = (name: string) => filters.some(({ key }) => key === name)
  const optionsOf = (name: string) => filters.find(({ key }) => key === name)?.options ?? []
  const whole: Record<string, string> = has('from') ? WHOLE : {}
  const windows = has('from')
    ? [{}, WHOLE, QUARTER, MONTH]
    : [{}, ...(has('as_of') ? DAYS : []).map((as_of) => ({ as_of }))]
  const dates = optionsOf('date_basis')
    .slice(1)
    .flatMap((date_basis) => [WHOLE, QUARTER].map((window) => ({ ...window, date_basis })))
  const groupings = optionsOf('group_by').map((group_by, at) => {
    const other = at % 2 === 0 ? undefined : dates[1]
    return { ...(has('from') ? QUARTER : {}), ...other, group_by }
  })
  const all = items(books, { ...defaultsOf(filters), ...whole })
  const narrowed = filters
    .filter(({ key }) => !['from', 'to', 'date_basis', 'group_by', 'as_of', 'tolerance'].includes(key))
    .flatMap(({ key, multiple }) => commonOf(all, key, multiple).map((value) => ({ ...whole, [key]: value })))
  const tolerance = has('tolerance') ? [{ ...whole, tolerance: TOLERANCE }] : []
  return [...windows, ...dates, ...groupings, ...narrowed, ...tolerance]
}
const defaultsOf = (filters: Entry['filters']): Asked =>
  Object.fromEntries(filters.map(({ key, default: value }) => [key, value]))

/** The most and the least frequent value of a filter; for one that takes several values, also both together. */
function commonOf(items: readonly Item[], name: string, multiple: boolean): string[] {
  const values = Map.groupBy(
    items.flatMap(({ about }) => about[name] ?? []),
    (value) => value,
  )
  const often = [...values].toSorted(([, a], [, b]) => b.length - a.length).map(([value]) => value)
  const [most, fewest] = [often[0], often.at(-1)]
  if (most === undefined || fewest === undefined) return []
  return [...new Set([most, fewest, ...(multiple ? [`${most},${fewest}`] : [])])]
}

const PAGES_OF_A_PART = 2
/** The report by the API, every page of it, or the first few. */
export async function ask(
  client: ApiClient,
  key: string,
  filters: Readonly<Record<string, string>>,
  whole: boolean,
): Promise<Report> {
  const query = Object.entries(filters).map(([name, value]) => `filters[${name}]=${encodeURIComponent(value)}`)
  const pages: Page[] = []
  let cursor: string | null = null
  do {
    const after: string[] = cursor === null ? [] : [`cursor=${cursor}`]
    const page: Page = await client.get(`/reports/${key}?${[...query, 'limit=100', ...after].join('&')}`)
    pages.push(page)
    cursor = page.pagination?.next_cursor ?? null
  } while (cursor !== null && (whole || pages.length < PAGES_OF_A_PART))
  return { pages, isWhole: cursor === null }
}
