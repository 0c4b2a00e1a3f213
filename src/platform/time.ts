/** The allowed years of dates and timestamps. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2200
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days from one calendar date to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / 86_400_000
}

/**
 * Parses an RFC 3339 timestamp; without an offset it is on the account's clock: a time inside a DST gap moves later by
 * the gap, one inside an overlap takes the earlier offset (RFC 5545). Returns UTC with microseconds, as the database
 * prints it, or null if invalid (24:00 and a 60th second are).
 */
export function readInstant(text: string, timeZone: string): string | null {
  const match = TIMESTAMP.exec(text)
  if (!match || !isDate(match[1] as string)) return null
  const iso = text.replace(' ', 'T').toUpperCase()
  const instant = match[3]
    ? Temporal.Instant.from(iso)
    : Temporal.PlainDateTime.from(iso).toZonedDateTime(timeZone, { disambiguation: 'compatible' }).toInstant()
  const utc = instant.toString({ smallestUnit: 'microsecond' })
  return isDate(utc.slice(0, 10)) ? utc : null // an offset can lead out of the allowed years
}

/** The account's calendar day at an instant. */
export const dayIn = (timeZone: string, epochMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** The instant at which a calendar day begins, a number of days after another one, on the account's clock. */
export const dayBegins = (timeZone: string, day: string, daysAfter = 0): string =>
  Temporal.PlainDate.from(day).add({ days: daysAfter }).toZonedDateTime(timeZone).toInstant().toString()

/** The instants at which the account's calendar day and the next one begin; changes of clocks make days of 23 and 25 hours. */
export function dayBounds(timeZone: string, epochMs: number): { today: string; tomorrow: string } {
  const day = dayIn(timeZone, epochMs)
  return { today: dayBegins(timeZone, day), tomorrow: dayBegins(timeZone, day, 1) }
}

/** An IANA zone that this runtime knows; aliases too, offsets not. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}
