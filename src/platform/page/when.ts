import type { Custom } from './language.ts'

const DAY_LENGTH = 10
const MS_A_DAY = 86_400_000
const MS_A_MINUTE = 60_000

type Writers = Readonly<Record<'day' | 'short' | 'range', Intl.DateTimeFormat>>
const known = new Map<string, Writers>()
/** Days are written as days of the calendar, so no clock is asked. */
function writersOf(locale: string): Writers {
  const writer = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', ...options })
  const writers = known.get(locale) ?? {
    day: writer({ weekday: 'long', month: 'long', year: 'numeric' }),
    short: writer({ month: 'short' }),
    range: writer({ month: 'long', year: 'numeric' }),
  }
  known.set(locale, writers)
  return writers
}
const epochOf = (day: string): number => Date.parse(`${day}T00:00Z`)

/** `Thursday 12 March 2026` */
export const longDay = (day: string, { locale }: Custom): string => writersOf(locale).day.format(epochOf(day))
/** `12 Mar` */
export const shortDay = (day: string, { locale }: Custom): string => writersOf(locale).short.format(epochOf(day))
/** `12 – 19 Mar` */
export const shortRange = (from: string, to: string, { locale }: Custom): string =>
  writersOf(locale).short.formatRange(epochOf(from), epochOf(to))
/** `12 – 19 March 2026` */
export const dayRange = (from: string, to: string, { locale }: Custom): string =>
  writersOf(locale).range.formatRange(epochOf(from), epochOf(to))

export const localDayOf = (time: string): string => time.slice(0, DAY_LENGTH)
/** Null for a date without a time. */
export const hourOf = (time: string): string | null => time.slice(DAY_LENGTH + 1) || null
export const daysFrom = (from: string, to: string): number =>
  (epochOf(localDayOf(to)) - epochOf(localDayOf(from))) / MS_A_DAY

/** The instant of a time on the clock of a zone; null where either is not known. One in a DST gap moves later by the gap. */
export function instantOf(time: string | null, timeZone: string | null): Date | null {
  if (time === null || timeZone === null) return null
  try {
    return new Date(Temporal.PlainDateTime.from(time).toZonedDateTime(timeZone).epochMilliseconds)
  } catch {
    return null // a zone that this runtime does not know
  }
}

/** Minutes from one instant to a later one; null where either is unknown, or they are the wrong way round. */
export function minutesBetween(from: Date | null, to: Date | null): number | null {
  const minutes = from && to && (to.getTime() - from.getTime()) / MS_A_MINUTE
  return minutes !== null && minutes > 0 ? minutes : null
}
