import { airport, cityOf } from '../../../../geography/airports.ts'
import { cityOfAirport, type Travel } from '../../travel.ts'

export type TicketItinerary = {
  readonly itinerary_type: 'one_way' | 'round_trip' | 'multi_city' | null
  /** Whether any two airports are in different countries; null if an airport is unknown. */
  readonly international: boolean | null
}
/** A flight, in flown order. Times are local to the airport, as 2026-05-01T14:30. */
type Leg = {
  readonly departure_airport: string
  readonly arrival_airport: string
  readonly scheduled_departure?: string | null
  readonly scheduled_arrival?: string | null
}

/** The longest connection under IATA's fare rules; a longer stay is a stopover. */
const CONNECTION_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * The trip type and whether it is international, from the legs of a ticket sale; null without legs.
 * - `round_trip`: several legs, the last of which arrives in the city where the first departs, as the specification
 *   defines it. The stops between do not matter, so a circle trip counts, and so does an open jaw at the far end.
 * - `one_way`: a single leg, or legs that lead onward to another city, by connections or stopovers.
 * - `multi_city`: all others. There is a surface sector between two legs, or the route turns back and ends in another
 *   city than it began: a city appears twice, or the traveller stayed abroad and returned to the country, which is an
 *   open jaw at home.
 *
 * The airports of a city count as one place. An unknown airport is a city of its own without a country.
 */
export function itineraryOf(legs: readonly Leg[]): TicketItinerary {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) return { itinerary_type: null, international: null }
  const countries = new Set(legs.flatMap((leg) => [countryOf(leg.departure_airport), countryOf(leg.arrival_airport)]))
  const international = countries.has(null) ? null : countries.size > 1
  if (legs.length === 1) return { itinerary_type: 'one_way', international }
  if (isSameCity(first.departure_airport, last.arrival_airport)) return { itinerary_type: 'round_trip', international }
  return { itinerary_type: isInterrupted(legs) || turns(legs, first, last) ? 'multi_city' : 'one_way', international }
}

const countryOf = (code: string): string | null => airport(code)?.country ?? null
const isSameCity = (one: string, other: string): boolean => cityOf(one) === cityOf(other)

const isInterrupted = (legs: readonly Leg[]): boolean =>
  stopsOf(legs).some(({ arriving, leaving }) => !isSameCity(arriving.arrival_airport, leaving.departure_airport))

function turns(legs: readonly Leg[], first: Leg, last: Leg): boolean {
  const cities = new Set([first.departure_airport, ...legs.map((leg) => leg.arrival_airport)].map(cityOf))
  if (cities.size <= legs.length) return true
  const home = countryOf(first.departure_airport)
  if (home === null || countryOf(last.arrival_airport) !== home) return false
  return stopsOf(legs).some((stop) => {
    const country = countryOf(stop.arriving.arrival_airport)
    return country !== null && country !== home && isStay(stop)
  })
}

/**
 * The time between two legs. Both times are local to the same city, so they can be compared; null if either is unknown.
 */
function millisecondsOf({ arriving, leaving }: Stop): number | null {
  if (!arriving.scheduled_arrival || !leaving.scheduled_departure) return null
  return Date.parse(`${leaving.scheduled_departure}Z`) - Date.parse(`${arriving.scheduled_arrival}Z`)
}
/** A stop with unknown times counts as a stay. */
const isStay = (stop: Stop): boolean => (millisecondsOf(stop) ?? Number.POSITIVE_INFINITY) > CONNECTION_HOURS * HOUR_MS

type Stop = { readonly arriving: Leg; readonly leaving: Leg }
const stopsOf = (legs: readonly Leg[]): Stop[] =>
  legs.slice(1).map((leaving, index) => ({ arriving: legs[index] as Leg, leaving }))

/**
 * The start of travel and the destination: where the last leg arrives or, for a round trip, where the traveller stays
 * longest (the middle of the route if some times are unknown).
 */
export function travelOfLegs(cell: unknown): Travel {
  const legs = (cell ?? []) as readonly Leg[]
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) return { on: null, to: null }
  const begins = legs.map((leg) => leg.scheduled_departure ?? leg.scheduled_arrival).find(Boolean)
  const turn = isSameCity(first.departure_airport, last.arrival_airport) ? longestStop(stopsOf(legs)) : undefined
  const to = turn?.arriving.arrival_airport ?? last.arrival_airport
  return { on: begins?.slice(0, 10) ?? null, to: cityOfAirport(to) }
}

function longestStop(stops: readonly Stop[]): Stop | undefined {
  const stays = stops.map((stop) => ({ stop, ms: millisecondsOf(stop) }))
  if (stays.some(({ ms }) => ms === null)) return stops[Math.floor((stops.length - 1) / 2)]
  return stays.toSorted((a, b) => Number(b.ms) - Number(a.ms))[0]?.stop
}
