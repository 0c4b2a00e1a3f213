import { currencyDigits, type Fixed, round } from '../../src/platform/money.ts'

export type Cell = string | number | null
export type Cells = Readonly<Record<string, Cell>>
/** A value to sum: bigints are money, numbers are integers; null if unknown. */
export type Sums = Readonly<Record<string, Fixed | number | null>>
type InBase = { readonly currency: string; readonly sums: Readonly<Record<string, Fixed>> }

/** A row of a report, or a part of one, computed from the books. */
export type Item = {
  readonly currency: string | null
  /** What filters ask of it, by their names. */
  readonly about: Readonly<Record<string, string | null>>
  /** The group: its key, and its label if the key is not shown. */
  readonly groups: Readonly<Record<string, readonly [key: string | null, name?: string | null]>>
  /** The dates for the window; empty if the recomputation applies the window itself. */
  readonly dates?: Readonly<Record<string, string | null>>
  readonly cells: Cells
  readonly sums: Sums
  /** In the company's currency; null where a rate is missing. */
  readonly base?: InBase | null
  /** What the summary counts. */
  readonly counts?: Readonly<Record<string, number>>
}

/** The digits of an amount as reports print it. */
export function printed(amount: Fixed | null, currency: string | null): string | null {
  if (amount === null) return null
  const digits = currencyDigits(currency ?? '')
  const whole = String(round(amount, digits)).replace('-', '').padStart(5, '0')
  const decimals = whole.slice(-4, whole.length - 4 + digits)
  const text = `${whole.slice(0, -4)}${digits > 0 ? `.${decimals}` : ''}`
  return amount < 0n && /[1-9]/.test(text) ? `-${text}` : text
}

/** How many hundredths of one amount another is, with two decimals; null of nothing. */
export function percentage(part: Fixed | number | null, whole: Fixed | number | null): string | null {
  if (part === null || whole === null || BigInt(whole) === 0n) return null
  const [over, under] = [BigInt(part) * 1_000_000n, BigInt(whole) * 100n]
  const negative = over < 0n !== under < 0n
  const size = (n: bigint) => (n < 0n ? -n : n)
  const hundredths = (2n * size(over) + size(under)) / (2n * size(under))
  const text = String(hundredths).padStart(3, '0')
  return `${negative && hundredths > 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** Sum of the known values; null if there are none. */
function total(values: readonly (Fixed | number | null)[]): Fixed | number | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  return typeof known[0] === 'number'
    ? known.reduce<number>((sum, value) => sum + Number(value), 0)
    : known.reduce<Fixed>((sum, value) => sum + BigInt(value), 0n)
}

export const sumsOf = (items: readonly Pick<Item, 'sums'>[]): Sums =>
  Object.fromEntries(
    Object.keys(items[0]?.sums ?? {}).map((name) => [name, total(items.map(({ sums }) => sums[name] ?? null))]),
  )

/** In the company's currency, if there is one and every rate is known. */
export function baseOf(items: readonly Pick<Item, 'base'>[]): InBase | null {
  const known = items.flatMap(({ base }) => base ?? [])
  const [first] = known
  if (!first || known.length < items.length || known.some(({ currency }) => currency !== first.currency)) return null
  return { currency: first.currency, sums: sumsOf(known) as InBase['sums'] }
}

export const countsOf = (items: readonly Pick<Item, 'counts'>[]): Record<string, number> => {
  const names = new Set(items.flatMap(({ counts = {} }) => Object.keys(counts)))
  return Object.fromEntries(
    [...names].map((name) => [name, items.reduce((sum, { counts }) => sum + (counts?.[name] ?? 0), 0)]),
  )
}
