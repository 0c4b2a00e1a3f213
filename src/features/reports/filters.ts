import type { Policies } from '../../platform/access/policies.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { daysBetween, isDate } from '../../platform/time.ts'
import { type Dates, maySee, type Preset, type ReportFilter } from './preset.ts'
import { relativeDay } from './relative-days.ts'

/** The longest window, both days counted. */
const WINDOW_DAYS = 731
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const INTEGER = /^-?\d{1,9}$/

export type FilterValue = string | number | boolean | readonly (string | number)[]
/** Filters as applied; null for one that does not apply. */
export type Applied = Readonly<Record<string, FilterValue | null>>
/** Filters as a client wrote them. */
export type Given = Readonly<Record<string, unknown>>
type Refusals = Map<string, string>

/**
 * Reads the filters of a preset: applies defaults, limits the period to 731 days, resolves relative dates, and refuses
 * filters on values that are masked for the role. Invalid values that would change the report are refused. Unknown names
 * are ignored, because a saved report may have filters that its preset no longer has.
 */
export function readFilters(preset: Preset, given: Given, policies: Policies, today: string): Applied {
  const refusals: Refusals = new Map()
  const read = Object.entries(preset.filters).map(([name, filter]): [string, FilterValue | null] => {
    const text = textOf(given[name])
    const value = text === null ? null : readValue(filter, text, today)
    if (isMasked(filter, value, policies)) throw filteredByMasked([name])
    if (!(value instanceof Refused)) return [name, value ?? defaultOf(filter, today)]
    refusals.set(name, value.reason)
    return [name, null]
  })
  const applied = { ...datesOf(preset.dates, given, today, refusals), ...Object.fromEntries(read) }
  if (refusals.size > 0) throw refusal(refusals)
  const groupBy = textOf(given.group_by)
  return preset.groupings ? { ...applied, group_by: groupingOf(preset, groupBy, policies) } : applied
}

/** Whether a filter asks for an option that is masked for the role. */
const isMasked = ({ sensitiveOptions = {} }: ReportFilter, value: unknown, policies: Policies): boolean =>
  [value].flat().some((option) => !maySee(policies, sensitiveOptions[String(option)]))
/** Refused: ignoring the filter would return a different report, and applying it would reveal masked values. */
export const filteredByMasked = (names: readonly string[]): ApiError =>
  new ApiError(
    'forbidden',
    `The role of this key is not allowed to filter by ${names.join(', ')}, because the values are masked. Remove the filter.`,
  )

/** The default value. */
export const defaultOf = ({ type, default: otherwise }: ReportFilter, today: string): FilterValue | null =>
  type === 'date' && otherwise === 'today' ? today : (otherwise ?? null)

/** No filter is asked for by an empty text. */
const textOf = (given: unknown): string | null =>
  given === undefined || given === null ? null : written(given).trim() || null
/** A comma-separated list from a URL; in a saved report a filter may be any JSON. */
const written = (given: unknown): string =>
  Array.isArray(given)
    ? given.map(written).join(',')
    : typeof given === 'object'
      ? JSON.stringify(given)
      : String(given)

const refusal = (refusals: Refusals): ApiError =>
  new ApiError('invalid_parameter', 'A filter is invalid. See details for each one.', {
    details: Object.fromEntries([...refusals].map(([name, reason]) => [`filters[${name}]`, [reason]])),
  })

class Refused {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const READ: Readonly<
  Record<ReportFilter['type'], (text: string, filter: ReportFilter, today: string) => FilterValue | Refused>
> = {
  date: (text, _, today) => readDay(text, today) ?? new Refused(NO_DAY),
  uuid: (text) => (UUID.test(text) ? text.toLowerCase() : new Refused('Send a UUID.')),
  boolean: (text) => (/^(true|false)$/.test(text) ? text === 'true' : new Refused('Send true or false.')),
  string: (text, { pattern, form = '' }) => (!pattern || pattern.test(text) ? text : new Refused(form)),
  integer: (text, { minimum = 0, maximum = 1_000_000 }) =>
    INTEGER.test(text) ? Math.min(Math.max(Number(text), minimum), maximum) : new Refused('Send a whole number.'),
  enum: readEnum,
}
const readValue = (filter: ReportFilter, text: string, today: string): FilterValue | Refused =>
  READ[filter.type](text, filter, today)

/**
 * An invalid value falls back to the default; without a default it is refused, since the report would be wider than
 * requested.
 */
function readEnum(text: string, { options = [], multiple, default: otherwise }: ReportFilter): FilterValue | Refused {
  const asked = multiple ? text.split(',').map((option) => option.trim()) : [text]
  if (asked.every((option) => options.includes(option))) return multiple ? asked : text
  return otherwise ?? new Refused(`Send ${multiple ? 'some' : 'one'} of ${options.join(', ')}.`)
}

const NO_DAY = 'Send a date as YYYY-MM-DD, or a relative date such as today-7 or month_start.'
/** A date, or the current date of a relative one; null if it is neither. */
const readDay = (text: string, today: string): string | null => (isDate(text) ? text : relativeDay(text, today))

/** The window, as asked for or by default, and the date that it is about. */
function datesOf(dates: Dates | undefined, given: Given, today: string, refusals: Refusals): Applied {
  if (!dates) return {}
  const side = (name: 'from' | 'to'): string | null => {
    const text = textOf(given[name])
    const read = text === null ? null : readDay(text, today)
    if (text !== null && read === null) refusals.set(name, NO_DAY)
    return read
  }
  const [from, to] = [side('from'), side('to')]
  if (from !== null && to !== null && from > to && refusals.size === 0) refusals.set('from', 'Must not be after to.')
  if (refusals.size > 0) return {}
  const bases = Object.keys(dates.by)
  const basis = bases.find((name) => name === textOf(given.date_basis)) ?? bases[0] ?? null
  return { ...clamped(windowOf(dates.window, from, to, today)), ...(bases.length > 1 && { date_basis: basis }) }
}

type Window = { readonly from: string; readonly to: string }
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text)

/** A missing bound is the default one, or one that fits the other. */
export function windowOf(window: Dates['window'], from: string | null, to: string | null, today: string): Window {
  if (window === 'this_month') {
    const last = to ?? (from === null || from <= today ? today : lastOfMonth(from))
    return { from: from ?? day(last).with({ day: 1 }).toString(), to: last }
  }
  const begin = from ?? (to === null || to >= today ? day(today).subtract({ days: window.back }).toString() : to)
  const end =
    to ??
    day(begin > today ? begin : today)
      .add({ days: window.ahead })
      .toString()
  return { from: begin, to: end }
}
const lastOfMonth = (text: string): string => day(text).with({ day: 31 }).toString()

const clamped = ({ from, to }: Window): Window =>
  daysBetween(from, to) < WINDOW_DAYS
    ? { from, to }
    : {
        from: day(to)
          .subtract({ days: WINDOW_DAYS - 1 })
          .toString(),
        to,
      }

/** A grouping filters nothing, so an unknown one is ignored; one that is masked for the role is refused. */
function groupingOf({ groupings = {} }: Preset, asked: string | null, policies: Policies): string | null {
  const grouping = asked !== null && Object.hasOwn(groupings, asked) ? groupings[asked] : undefined
  if (!grouping) return null
  if (maySee(policies, grouping.sensitive)) return asked
  throw new ApiError(
    'forbidden',
    `The role of this key is not allowed to group by ${asked}, because the values are masked. Remove group_by.`,
  )
}
