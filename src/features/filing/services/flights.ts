import { airport } from '../../../geography/airports.ts'
import { dateOf, durationMinutes, joined, type Piece } from '../piece.ts'

/** A flight as a ticket sale or a charter has it. Times are the clock of each airport, as 2026-05-01T14:30. */
export type Leg = {
  readonly airline_code: string
  readonly flight_number: string
  readonly departure_airport: string
  readonly arrival_airport: string
  readonly scheduled_departure?: string | null
  readonly scheduled_arrival?: string | null
  readonly departure_terminal?: string | null
  readonly arrival_terminal?: string | null
}

/**
 * A service for each flight with a date; an open one has no day. A flight is identified by its airports and, among
 * equal ones, by its ordinal, so a changed time or flight number keeps the same segment.
 */
export function flightsOf(legs: readonly Leg[]): Piece[] {
  const seen = new Map<string, number>()
  return legs.flatMap((leg) => {
    const route = `${leg.departure_airport}-${leg.arrival_airport}`
    const nth = (seen.get(route) ?? 0) + 1
    seen.set(route, nth)
    const time = leg.scheduled_departure ?? leg.scheduled_arrival
    return time ? [flight(leg, nth === 1 ? route : `${route} ${nth}`, dateOf(time))] : []
  })
}

function flight(leg: Leg, piece: string, date: string): Piece {
  const { airline_code, flight_number, departure_airport, arrival_airport } = leg
  return {
    piece,
    segment_type: 'flight',
    date,
    start_time: leg.scheduled_departure ?? null,
    end_time: leg.scheduled_arrival ?? null,
    duration_minutes: minutesOf(leg),
    title: `${airline_code} ${flight_number} ${cityOf(departure_airport)} – ${cityOf(arrival_airport)}`,
    description: joined(
      [terminal(departure_airport, leg.departure_terminal), terminal(arrival_airport, leg.arrival_terminal)],
      ' – ',
    ),
    location_name: airport(arrival_airport)?.name ?? arrival_airport,
    airline_code,
    flight_number,
    departure_airport,
    arrival_airport,
  }
}

const cityOf = (code: string): string => airport(code)?.city ?? code
const terminal = (code: string, name: string | null | undefined) => (name ? `${code} Terminal ${name}` : null)

/** Duration between two local times; null if one is unknown, or they are impossible. */
function minutesOf({ departure_airport, arrival_airport, scheduled_departure, scheduled_arrival }: Leg): number | null {
  const [from, to] = [airport(departure_airport), airport(arrival_airport)]
  if (!from || !to || !scheduled_departure || !scheduled_arrival) return null
  const instant = (time: string, zone: string) =>
    Temporal.PlainDateTime.from(time).toZonedDateTime(zone).epochMilliseconds
  return durationMinutes(instant(scheduled_departure, from.timeZone), instant(scheduled_arrival, to.timeZone))
}
