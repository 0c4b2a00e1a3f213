import { atRate, currencyDigits, type Fixed } from '../../src/platform/money.ts'

export type Rate = {
  readonly source: string
  readonly base: string
  readonly currency: string
  readonly day: string
  readonly base_units: string
  readonly currency_units: string
}
/** The value of a unit of one currency in another on a day, to ten decimals; null without a published rate. */
export type RateOf = (from: string, to: string, day: string) => string | null

const DECIMALS = 10
const scaled = (decimal: string): bigint => {
  const [whole = '', decimals = ''] = decimal.split('.')
  return BigInt(whole + decimals.padEnd(DECIMALS, '0').slice(0, DECIMALS))
}
type Leg = { readonly day: string; readonly value: bigint; readonly units: bigint }

/** The rates as they were published, each the latest on or before a day, by way of the base of their source. */
export function ratesOf(rates: readonly Rate[]): RateOf {
  const published = Map.groupBy(rates, ({ source, base, currency }) => `${source} ${base} ${currency}`)
  const sources = [...new Map(rates.map(({ source, base }) => [source, base]))]
  for (const days of published.values()) days.sort((a, b) => (a.day < b.day ? -1 : 1))
  const legOf = (source: string, base: string, currency: string, day: string): Leg | null => {
    if (currency === base) return { day: '9999', value: 1n, units: 1n }
    const found = published.get(`${source} ${base} ${currency}`)?.findLast((rate) => rate.day <= day)
    return found ? { day: found.day, value: scaled(found.base_units), units: scaled(found.currency_units) } : null
  }
  const known = new Map<string, string | null>()
  return (from, to, day) => {
    if (from === to) return '1'
    const key = `${from} ${to} ${day}`
    const rate =
      known.get(key) ?? newest(sources, from, to, (source, base, currency) => legOf(source, base, currency, day))
    known.set(key, rate)
    return rate
  }
}

/** Of several sources, the latest day, then the one whose base is requested, then the last by name. */
function newest(
  sources: readonly (readonly [source: string, base: string])[],
  from: string,
  to: string,
  legOf: (source: string, base: string, currency: string) => Leg | null,
): string | null {
  const found = sources.flatMap(([source, base]) => {
    const [own, other] = [legOf(source, base, from), legOf(source, base, to)]
    if (!own || !other) return []
    const [over, under] = [own.value * other.units, own.units * other.value]
    const rate = (2n * over * 10n ** BigInt(DECIMALS) + under) / (2n * under)
    const day = own.day < other.day ? own.day : other.day
    return rate > 0n ? [{ rate, order: `${day} ${base === from || base === to ? 1 : 0} ${source}` }] : []
  })
  const best = found.toSorted((a, b) => (a.order < b.order ? 1 : -1))[0]
  if (!best) return null
  const digits = String(best.rate).padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}

/** An amount converted at a rate, rounded once to the digits of the target currency. */
export const brought = (amount: Fixed, rate: string | null, currency: string): Fixed | null =>
  rate === null ? null : atRate(amount, rate, currencyDigits(currency))
