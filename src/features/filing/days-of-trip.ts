import { DAYS_MAXIMUM } from '../trips/reads/trip-span.ts'

/** A trip with its days that have a date, the earliest first. */
export type DaysOfTrip = {
  readonly start: string | null
  readonly end: string | null
  readonly days: readonly { readonly id: string; readonly date: string }[]
}

/** Services outside of the trip are shown on its first or last day. */
const clamped = ({ start, end }: DaysOfTrip, date: string): string => {
  if (start !== null && date < start) return start
  return end !== null && date > end ? end : date
}

/** The day that a piece of that date is shown on: its own, else the one before it, else the first. */
export function dayFor(trip: DaysOfTrip, date: string): string | undefined {
  const wanted = clamped(trip, date)
  return (trip.days.findLast((day) => day.date <= wanted) ?? trip.days[0])?.id
}

/**
 * The days to create for services with these dates: all days of a trip with dates but without days; otherwise the
 * missing ones, the earliest first if there are too many.
 */
export function missingDays(trip: DaysOfTrip, dates: Iterable<string>): string[] {
  const { start, end, days } = trip
  if (start !== null && end !== null) return days.length === 0 ? everyDay(start, end) : []
  const known = new Set(days.map(({ date }) => date))
  const wanted = new Set(Array.from(dates, (date) => clamped(trip, date)))
  const lacking = [...wanted].filter((date) => !known.has(date)).sort()
  return lacking.slice(0, Math.max(0, DAYS_MAXIMUM - days.length))
}

function everyDay(start: string, end: string): string[] {
  const first = Temporal.PlainDate.from(start)
  const nights = first.until(end).days
  return Array.from({ length: nights + 1 }, (_, nth) => first.add({ days: nth }).toString())
}
