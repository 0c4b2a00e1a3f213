import { daysBetween, isDate } from '../../../platform/time.ts'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAY = /^([ 0-3]?\d)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d{2}|\d{4})?$/
const CLOCK = /^(\d{1,2}):?(\d{2})([APNM])?$/
/** Leap days are at most eight years apart. */
const YEARS_AROUND = 8
const DAY_MS = 86_400_000

const pad = (number: number) => String(number).padStart(2, '0')

/** `YYYY-MM-DD` of a day plus a number of days. */
export function movedDay(day: string, days: number): string {
  if (days === 0) return day
  const name = `${day} ${days}`
  const known = moved.get(name)
  if (known !== undefined) return known
  if (moved.size >= MOST_MOVED) moved.clear()
  const found = new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
  moved.set(name, found)
  return found
}
/** A cache: files of one day move the same few days, and formatting a date takes longer than parsing a line. */
const moved = new Map<string, string>()
const MOST_MOVED = 1000

/** As `5MAR`. */
const SHORTEST_DAY = 4

function partsOf(text: string): { tail: string; year: string | undefined } | null {
  if (text.length < SHORTEST_DAY) return null
  const match = DAY.exec(text.trim().toUpperCase())
  if (!match) return null
  return { tail: `${pad(MONTHS.indexOf(match[2] as string) + 1)}-${pad(Number(match[1]))}`, year: match[3] }
}

/**
 * A day printed with its year, `05MAR25` or `05MAR2025`. A two-digit year is the one nearest to the reference. For a
 * date of birth, `past` takes the last such year that is not after the reference. Null if it is not a day.
 */
export function fullDay(text: string, reference: string, past = false): string | null {
  const parts = partsOf(text)
  if (!parts?.year) return null
  const { tail, year } = parts
  if (year.length === 4) return real(`${year}-${tail}`)
  const near = Number(reference.slice(0, 4))
  const century = near - (near % 100) + Number(year)
  const years = [century - 100, century, century + 100]
  const found = past
    ? years.findLast((each) => `${each}-${tail}` <= reference)
    : years.reduce((best, each) => (Math.abs(each - near) < Math.abs(best - near) ? each : best))
  return found === undefined ? null : real(`${found}-${tail}`)
}

const real = (day: string): string | null => (isDate(day) ? day : null)

/** The month and day of `05MAR`, as `-03-05`; null if a year follows. */
function yearlyOf(text: string): string | null {
  const parts = partsOf(text)
  return parts && !parts.year ? `-${parts.tail}` : null
}

/** The first day `05MAR` on or after the reference minus a tolerance in days, because a departure follows its issue. */
export function nextDay(text: string, reference: string, tolerance = 3): string | null {
  const tail = yearlyOf(text)
  if (tail === null) return null
  const from = movedDay(reference, -tolerance)
  const first = Number(from.slice(0, 4))
  for (let year = first; year <= first + YEARS_AROUND; year++) {
    const day = `${year}${tail}`
    if (day >= from && isDate(day)) return day
  }
  return null
}

/** The day `05MAR` nearest to the reference. */
export function nearestDay(text: string, reference: string): string | null {
  const tail = yearlyOf(text)
  if (tail === null) return null
  const near = Number(reference.slice(0, 4))
  const days = Array.from({ length: 2 * YEARS_AROUND + 1 }, (_, at) => `${near - YEARS_AROUND + at}${tail}`)
  const distance = (day: string): number => Math.abs(daysBetween(reference, day))
  return days.filter(isDate).sort((one, other) => distance(one) - distance(other))[0] ?? null
}

/** The last day `05MAR` on or before the reference plus a tolerance in days, because a file describes the past. */
export function lastDay(text: string, reference: string, tolerance = 3): string | null {
  const tail = yearlyOf(text)
  if (tail === null) return null
  const to = movedDay(reference, tolerance)
  const last = Number(to.slice(0, 4))
  for (let year = last; year >= last - YEARS_AROUND; year--) {
    const day = `${year}${tail}`
    if (day <= to && isDate(day)) return day
  }
  return null
}

const SHORTEST_CLOCK = 3

/** `HH:MM` of a printed time: `0230`, `535A`, `0750P`, `1200N` (noon), `1200M` (midnight). Null if it is not a time. */
export function printedClock(text: string): string | null {
  if (text.length < SHORTEST_CLOCK) return null
  const match = CLOCK.exec(text.trim().toUpperCase())
  if (!match) return null
  const [hour, minute, half] = [Number(match[1]), Number(match[2]), match[3]]
  if (minute > 59) return null
  if (!half) return hour > 23 ? null : `${pad(hour)}:${pad(minute)}`
  if (hour < 1 || hour > 12) return null
  const afternoon = half === 'P' || half === 'N'
  return `${pad((hour % 12) + (afternoon ? 12 : 0))}:${pad(minute)}`
}
