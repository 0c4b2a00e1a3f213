import { atRate, currencyDigits, type Fixed, fixed, percentOf, round } from '../../src/platform/money.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import type { Line } from './records.ts'

type Sums = Readonly<Record<string, string | number | null>>
type Totals = { readonly by_currency: readonly Sums[]; readonly base: Sums | null } & Readonly<Record<string, unknown>>
export type Report = {
  readonly columns: readonly { key: string; label: string; type: string; sensitive?: string }[]
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
  readonly summary: Readonly<Record<string, number>>
  readonly filters: Readonly<Record<string, unknown>>
  readonly pagination?: { readonly next_cursor: string | null; readonly has_more: boolean } | null
  readonly groups: readonly { key: string | null; label: string | null; count: number; totals: Totals }[] | null
  readonly totals: Totals | null
}
type Filters = Readonly<Record<string, string | null | undefined>>

export const queryOf = (filters: Filters, more = ''): string =>
  `${Object.entries(filters)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `filters[${name}]=${encodeURIComponent(String(value))}`)
    .join('&')}${more}`

/** Those of the filters that a preset has; it refuses others. */
export const filtersOf = ({ filters }: { filters: readonly { key: string }[] }, given: Filters): Filters =>
  Object.fromEntries(Object.entries(given).filter(([name]) => filters.some(({ key }) => key === name)))

export async function runReport({ call }: TestCell, key: string, id: string, query: string): Promise<Report> {
  const answer = await call('GET', `/reports/${id}?${query}`, { key })
  if (answer.status !== 200) throw new Error(`${id}?${query}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.body as Report
}

/** Every page of a report, and its rows together. */
export async function walkReport(cell: TestCell, key: string, id: string, query: string, limit = 100) {
  const pages: Report[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = await runReport(cell, key, id, `${query}&limit=${limit}${next}`)
    pages.push(page)
    cursor = page.pagination?.next_cursor ?? null
  } while (cursor !== null)
  return { pages, rows: pages.flatMap(({ rows }) => rows) }
}

type FeedLine = Line & { net: string; currency: string; rate: string | null }
/** A booking as the feed has it. */
export type Fed = {
  readonly entity: string
  readonly status: string
  readonly company_id: string
  readonly branch_id: string
  readonly customer: { readonly id: string } | null
  readonly supplier: { readonly id: string } | null
  readonly assigned_to_email: string | null
  readonly currency: string
  readonly transaction_date: string
  readonly totals: MessageAnswer
  readonly company_totals: { readonly currency: string } & MessageAnswer
  readonly sell_lines: readonly FeedLine[]
  readonly cost_lines: readonly FeedLine[]
} & Readonly<Record<string, unknown>>

/** The bookings of an account, by its feed. */
export async function readBookings({ call }: TestCell, { key }: Agency, entities: readonly string[]): Promise<Fed[]> {
  const found = entities.map(async (entity) => {
    const { body } = await call('GET', `/imports/${entity}/records?limit=100`, { key })
    return (body as { data: Fed[] }).data
  })
  return (await Promise.all(found)).flat()
}

export type Amounts = { sell: Fixed; vat: Fixed; cost: Fixed; margin: Fixed }
/** The totals of a booking in its own currency, or in its company's; null if a rate is missing. */
export function amountsOf(fed: Fed, of: 'own' | 'company'): Amounts | null {
  if (fed.entity === 'tickets') return of === 'own' ? amountsOfDocuments(fed) : amountsTold(fed.company_totals)
  const currency = of === 'own' ? fed.currency : fed.company_totals.currency
  const isMixed = [...fed.sell_lines, ...fed.cost_lines].some((line) => line.currency !== fed.currency)
  if (of === 'own' && isMixed) return amountsTold(fed.totals) // the feed shows only the rates to the company's currency
  const digits = currencyDigits(currency)
  const sum = (lines: readonly FeedLine[], part: 'gross' | 'net') =>
    lines.reduce<Fixed | null>((total, line) => {
      const own = fixed(line[part])
      if (total === null) return null
      if (line.currency === currency) return total + own
      return line.rate === null ? null : total + atRate(own, line.rate, digits)
    }, 0n)
  const [sell, sellNet] = [sum(fed.sell_lines, 'gross'), sum(fed.sell_lines, 'net')]
  const [cost, costNet] = [sum(fed.cost_lines, 'gross'), sum(fed.cost_lines, 'net')]
  if (sell === null || sellNet === null || cost === null || costNet === null) return null
  return { sell, vat: sell - sellNet, cost, margin: sellNet - costNet }
}

/** Documents have no VAT of their own; the agency keeps its fee and its commission, a part of the fare. */
function amountsOfDocuments({ passengers, currency }: Fed): Amounts {
  const amount = (cell: string | null | undefined): Fixed => fixed(cell ?? '0')
  const sums = (passengers as Record<string, string | null>[]).map((passenger) => {
    const sell = amount(passenger.total) + amount(passenger.service_fee)
    const commission = percentOf(
      amount(passenger.base_fare),
      amount(passenger.commission_rate),
      currencyDigits(currency),
    )
    return { sell: round(sell, currencyDigits(currency)), commission, total: amount(passenger.total) }
  })
  const sum = (name: 'sell' | 'commission' | 'total') => sums.reduce((total, of) => total + of[name], 0n)
  const cost = sum('total') - sum('commission')
  return { sell: sum('sell'), vat: 0n, cost, margin: sum('sell') - cost }
}

type MessageAnswer = Readonly<Record<keyof Amounts, string | null>>
function amountsTold({ sell, vat, cost, margin }: MessageAnswer): Amounts | null {
  if (sell === null || vat === null || cost === null || margin === null) return null
  return { sell: fixed(sell), vat: fixed(vat), cost: fixed(cost), margin: fixed(margin) }
}
