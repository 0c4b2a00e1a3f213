import { isDate } from '../../../platform/time.ts'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAY = /^([ 0-3]?\d)(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d{2}|\d{4})?$/
const CLOCK = /^(\d{1,2}):?(\d{2})([APNM])?$/
/** Leap days are eight years apart at the most. */
const YEARS_AROUND = 8
const DAY_MS = 86_400_000

const pad = (number: number) => String(number).padStart(2, '0')

/** `YYYY-MM-DD` of a day moved by so many days. */
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
/** Files of one day move the same few days; formatting a date costs more than reading a line. */
const moved = new Map<string, string>()
const MOST_MOVED = 1000

function partsOf(text: string): { tail: string; year: string | undefined } | null {
  const match = DAY.exec(text.trim().toUpperCase())
  if (!match) return null
  return { tail: `${pad(MONTHS.indexOf(match[2] as string) + 1)}-${pad(Number(match[1]))}`, year: match[3] }
}

/**
 * A day printed with its year, `05MAR25` or `05MAR2025`. Two digits are the year nearest to the reference: a date of
 * birth is then at most a lifetime before it, so `past` takes the last such year that is not after it. Null is no day.
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

/** The month and day of `05MAR`, as `-03-05`; null for one with a year, which needs no other. */
function yearlyOf(text: string): string | null {
  const parts = partsOf(text)
  return parts && !parts.year ? `-${parts.tail}` : null
}

/** The first day `05MAR` on or after the reference less a tolerance in days: a departure follows its issue. */
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

/** The last day `05MAR` on or before the reference plus a tolerance in days: what is captured has been. */
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

/** `HH:MM` of a printed time: `0230`, `535A`, `0750P`, `1200N` (noon), `1200M` (midnight). Null is no time. */
export function printedClock(text: string): string | null {
  const match = CLOCK.exec(text.trim().toUpperCase())
  if (!match) return null
  const [hour, minute, half] = [Number(match[1]), Number(match[2]), match[3]]
  if (minute > 59) return null
  if (!half) return hour > 23 ? null : `${pad(hour)}:${pad(minute)}`
  if (hour < 1 || hour > 12) return null
  const afternoon = half === 'P' || half === 'N'
  return `${pad((hour % 12) + (afternoon ? 12 : 0))}:${pad(minute)}`
}
