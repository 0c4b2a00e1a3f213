import type { SEGMENT_STATUSES, SEGMENT_TYPES } from '../trips/reads/segment-kinds.ts'

/**
 * A service of a booking that a traveller uses: the source of a segment. Times are local, `YYYY-MM-DDTHH:MM`. A service
 * with dates only begins and ends at midnight.
 */
export type Piece = {
  /** Which of the booking's services it is. It stays the same as long as that is the same service. */
  readonly piece: string
  readonly segment_type: (typeof SEGMENT_TYPES)[number]
  /** The day that it is shown on. */
  readonly date: string
  readonly start_time: string | null
  readonly end_time: string | null
  readonly duration_minutes?: number | null
  readonly title: string | null
  readonly description?: string | null
  readonly location_name?: string | null
  readonly location_address?: string | null
  readonly airline_code?: string
  readonly flight_number?: string
  readonly departure_airport?: string
  readonly arrival_airport?: string
}
/** The dates of a booking, and its services. */
export type Service = {
  readonly first: string
  readonly last: string
  readonly pieces: readonly Piece[]
  readonly confirmation_number?: string | null
}
/** What bookings are read by: the account's clock, its day, and the language of its words. */
export type Setting = { readonly timeZone: string; readonly today: string; readonly locale: string }
export type SegmentStatus = (typeof SEGMENT_STATUSES)[number]

const MIDNIGHT = 'T00:00'
export const dateOf = (time: string): string => time.slice(0, 10)
const atMidnight = (day: string): string => `${day}${MIDNIGHT}`

/** The given values in one line; null if there are none. */
export const joined = (parts: readonly (string | null | undefined)[], separator: string): string | null =>
  parts.filter(Boolean).join(separator) || null

/** The clock of a zone at an instant, milliseconds since the epoch. */
export const clockAt = (epochMs: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

/** A longer service is taken for a mistake in the year. */
const LONGEST_MINUTES = 1_000_000
/** Minutes from one instant to a later one; null where they cannot be right. */
export function durationMinutes(from: number, to: number): number | null {
  const minutes = Math.round((to - from) / 60_000)
  return minutes >= 0 && minutes <= LONGEST_MINUTES ? minutes : null
}

/** The service of pieces that are known by their days: from the first of these to the last. Null without any. */
export function serviceOf(pieces: readonly Piece[], confirmation_number: string | null = null): Service | null {
  const days = pieces.map(({ date }) => date).sort()
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? { first, last, pieces, confirmation_number } : null
}

/** The service of a booking with whole days: from the first to the last, or one day. Null without dates. */
export function serviceOfDays(
  first: string | null,
  last: string | null,
  piece: Omit<Piece, 'date' | 'start_time' | 'end_time'>,
  confirmation_number: string | null = null,
): Service | null {
  if (first === null) return null
  const whole = { ...piece, date: first, start_time: atMidnight(first), end_time: last && atMidnight(last) }
  return { first, last: last ?? first, pieces: [whole], confirmation_number }
}
