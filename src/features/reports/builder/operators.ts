import { decimal } from '../../../catalogue/amounts.ts'
import { Refusal } from '../../../catalogue/kind.ts'
import { boolean, integer, string, uuid } from '../../../catalogue/kinds.ts'
import { isDate } from '../../../platform/time.ts'
import type { FilterType, ReportFilter } from '../preset.ts'
import { relativeDay } from '../relative-days.ts'
import type { Compared } from './published-fields.ts'

/** How a field is compared with the requested value. */
export const OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'between', 'contains', 'empty'] as const
export type FilterOperator = (typeof OPERATORS)[number]
/** A filter value as stored. */
export type Value = string | number | boolean | readonly (string | number)[]

const IN_MAXIMUM = 100
const TEXT_MAXIMUM = 500

/** Why a value is refused. */
export class InvalidValue {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

type Comparison = {
  readonly operators: readonly FilterOperator[]
  /** The type that a value is bound as. */
  readonly pg: string
  /** What a filter by it is called in the catalogue. */
  readonly type: FilterType
  /** Reads one value, or returns what to send instead. */
  read(given: unknown, options: readonly string[]): string | number | boolean | InvalidValue
  /** SQL of the compared value, if it is not the field itself. */
  of?(sql: string): string
}

const CONTEXT = { decimalSeparator: null, country: '', currency: '', timeZone: 'UTC' }
type Reader = { read(cell: unknown, context: typeof CONTEXT): unknown }
const by =
  ({ read }: Reader, form: string) =>
  (given: unknown) => {
    const value = read(given, CONTEXT)
    return value instanceof Refusal ? new InvalidValue(form) : (value as string | number | boolean)
  }
/** A day of the calendar, or a word such as `month_start-1`, which stays a word. */
const readDay = (given: unknown) =>
  typeof given === 'string' && (isDate(given) || relativeDay(given, SOME_DAY) !== null)
    ? given
    : new InvalidValue('Send a date as YYYY-MM-DD, or a relative date such as today-7 or month_start.')
const SOME_DAY = '2026-01-01'

const ORDERED = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'empty'] as const
/** A closed list: what can be asked of each kind of value, and nothing else can. */
const COMPARISONS: Readonly<Record<Compared, Comparison>> = {
  text: {
    operators: ['eq', 'ne', 'in', 'contains', 'empty'],
    pg: 'text',
    type: 'string',
    read: by(string(TEXT_MAXIMUM), `Send a string of at most ${TEXT_MAXIMUM} characters.`),
  },
  choice: {
    operators: ['eq', 'ne', 'in', 'empty'],
    pg: 'text',
    type: 'enum',
    read: (given, options) =>
      options.find((option) => option === given) ?? new InvalidValue(`Send one of ${options.join(', ')}.`),
  },
  yes_no: { operators: ['eq', 'empty'], pg: 'boolean', type: 'boolean', read: by(boolean, 'Send true or false.') },
  id: { operators: ['eq', 'ne', 'in', 'empty'], pg: 'uuid', type: 'uuid', read: by(uuid, 'Send a UUID.') },
  day: { operators: ORDERED, pg: 'date', type: 'date', read: readDay },
  moment: {
    operators: ORDERED,
    pg: 'date',
    type: 'date',
    read: readDay,
    of: (sql) => `(${sql} at time zone $zone)::date`, // the day on the account's clock
  },
  whole: {
    operators: ORDERED,
    pg: 'bigint',
    type: 'integer',
    read: by(integer(-999_999_999), 'Send a whole number.'),
  },
  number: {
    operators: ORDERED,
    pg: 'numeric',
    type: 'string',
    read: by(decimal, 'Send a decimal string such as "1250.50".'),
  },
}

export const operatorsOf = (compared: Compared): readonly FilterOperator[] => COMPARISONS[compared].operators

/** Reads what a filter compares with: a list for `in`, two values for `between`, whether it is so for `empty`. */
export function readValue(
  compared: Compared,
  operator: FilterOperator,
  given: unknown,
  options: readonly string[],
): Value | InvalidValue {
  const { read } = COMPARISONS[compared]
  if (operator === 'empty') return typeof given === 'boolean' ? given : new InvalidValue('Send true or false.')
  if (operator !== 'in' && operator !== 'between') return read(given, options)
  if (!Array.isArray(given) || (operator === 'between' && given.length !== 2))
    return new InvalidValue(operator === 'in' ? 'Send a list.' : 'Send two values.')
  if (given.length === 0 || given.length > IN_MAXIMUM) return new InvalidValue(`Send 1 to ${IN_MAXIMUM} values.`)
  const values = given.map((one: unknown) => read(one, options))
  return values.find((value) => value instanceof InvalidValue) ?? (values as (string | number)[])
}

/** The value with its words for days as days. */
export function valueOn(compared: Compared, value: Value, today: string): Value {
  if (compared !== 'day' && compared !== 'moment') return value
  const resolve = (one: string | number): string => relativeDay(String(one), today) ?? String(one)
  if (Array.isArray(value)) return value.map(resolve)
  return typeof value === 'string' ? resolve(value) : value
}

const SIGNS = { eq: '=', ne: 'is distinct from', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
/** The filter as the engine knows it: it always has this value, which is bound to a parameter named like the filter. */
export function filterOf(
  name: string,
  label: string,
  compared: Compared,
  sql: string,
  operator: FilterOperator,
  value: Value,
): ReportFilter {
  const { pg, type, of = (same: string) => same } = COMPARISONS[compared]
  const given = { label, type, default: value }
  const own = of(sql)
  switch (operator) {
    case 'empty':
      return { ...given, where: `${sql} is ${value ? '' : 'not '}null` }
    case 'in':
      return { ...given, where: `${own} = any($${name}::${pg}[])` }
    case 'between':
      return { ...given, where: `${own} between ($${name}::${pg}[])[1] and ($${name}::${pg}[])[2]` }
    case 'contains':
      return { ...given, where: `fold(${own}) like '%' || like_text(fold($${name}::text)) || '%'` }
    default:
      return { ...given, where: `${own} ${SIGNS[operator]} $${name}::${pg}` }
  }
}
