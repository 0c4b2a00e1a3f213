import { ImportError } from './import-error.ts'
import type { TargetField } from './target.ts'

type Separator = '.' | ','
type Seen = { readonly column: string; readonly text: string; readonly line: number }
/** The first amounts of a column with an explicit and with an ambiguous separator, and their numbers. */
type Tally = { readonly [shown in Separator | 'either']?: { readonly seen: Seen; count: number } }
export type DecimalColumns = {
  /** Reads the amounts of a row, those in lists included. */
  add(row: Readonly<Record<string, unknown>>, line: number): void
  /** Null if no amount has a separator. Throws if the separator cannot be determined. */
  separator(): Separator | null
}

const NUMBER = /^-?\d[\d.,]*$/
/** "1.234" and "1,234", but not "0.125" and "0,5". */
const THOUSANDS_OR_DECIMALS = /^-?[1-9]\d{0,2}[.,]\d{3}$/
/** Currencies whose amounts have three decimals or more, so that 1.234 shows its separator. */
export const LONG_DECIMALS: ReadonlySet<string> = new Set('BHD CLF IQD JOD KWD LYD OMR TND UYW'.split(' '))
const AMOUNTS = new Set(['money', 'decimal'])
/** Of the amounts with a separator, the ones that must agree; the rows of the others fail. */
const MAJORITY = 0.9

/** The decimal separator of an amount; null for none. */
function separatorOf(text: string, currency: string): Separator | 'either' | null {
  const signs = text.match(/[.,]/g) ?? []
  const last = signs.at(-1) as Separator | undefined
  if (!NUMBER.test(text) || last === undefined) return null
  if (new Set(signs).size === 2) return last
  if (signs.length > 1) return last === '.' ? ',' : '.' // only thousands repeat
  return THOUSANDS_OR_DECIMALS.test(text) && !LONG_DECIMALS.has(currency) ? 'either' : last
}

/** Decides the decimal separator of a file over whole columns, since a single amount such as 1.234 can mean two things. */
export function decimalColumns(fields: readonly TargetField[]): DecimalColumns {
  const tallies = new Map<string, Tally>()
  function visit(field: TargetField, column: string, value: unknown, currency: string, line: number): void {
    if (typeof value === 'string' && AMOUNTS.has(field.type)) {
      const text = value.trim()
      const shown = separatorOf(text, currency)
      const tally = tallies.get(column) ?? {}
      if (shown === null) return
      const counted = tally[shown]
      if (counted) counted.count++
      else tallies.set(column, { ...tally, [shown]: { seen: { column, text, line }, count: 1 } })
    } else if (Array.isArray(value))
      for (const item of value) if (isObject(item)) visitAll(field.items, `${column}[].`, item, currency, line)
  }
  function visitAll(
    fields: readonly TargetField[],
    prefix: string,
    row: Readonly<Record<string, unknown>>,
    currency: string,
    line: number,
  ): void {
    const own = typeof row.currency === 'string' ? row.currency.trim().toUpperCase() : currency
    for (const field of fields) visit(field, prefix + field.key, row[field.key], own, line)
  }
  return {
    add: (row, line) => visitAll(fields, '', row, '', line),
    separator: () => decide([...tallies.values()]),
  }
}

function decide(tallies: readonly Tally[]): Separator | null {
  const undecided = tallies.find((tally) => !tally['.'] && !tally[','])?.either?.seen
  if (undecided)
    throw ambiguous(
      `${shownAt(undecided)} is ambiguous: it can mean ${undecided.text.replace(/[.,]/, '')} or ${undecided.text.replace(',', '.')}. Set --decimal-separator , or --decimal-separator .`,
    )
  const [points, commas] = (['.', ','] as const).map((sign) => {
    const counted = tallies.flatMap((tally) => tally[sign] ?? [])
    return { sign, first: counted[0]?.seen, count: counted.reduce((sum, { count }) => sum + count, 0) }
  }) as [Shown, Shown]
  const most = points.count >= commas.count ? points : commas
  if (most.count < MAJORITY * (points.count + commas.count) && points.first && commas.first)
    throw ambiguous(
      `${shownAt(commas.first)} has a decimal comma, but ${shownAt(points.first)} has a decimal point. Use the same separator in all rows, or choose one with --decimal-separator; rows with the other one then fail.`,
    )
  return most.count === 0 ? null : most.sign
}
type Shown = { readonly sign: Separator; readonly first: Seen | undefined; readonly count: number }

const ambiguous = (text: string) => new ImportError('ambiguous_number', text)
const shownAt = ({ column, text, line }: Seen) => `${column} ${text} (line ${line})`
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
