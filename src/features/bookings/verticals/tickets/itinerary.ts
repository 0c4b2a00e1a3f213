import { airport, cityOf } from '../../../../geography/airports.ts'
import { cityOfAirport, type Travel } from '../../travel.ts'

export type TicketItinerary = {
  readonly itinerary_type: 'one_way' | 'round_trip' | 'multi_city' | null
  /** Whether any two airports are in different countries; null if an airport is unknown. */
  readonly international: boolean | null
}
/** A flight, at its place in the order flown. Times are the local clock of the airport, as 2026-05-01T14:30. */
type Leg = {
  readonly departure_airport: string
  readonly arrival_airport: string
  readonly scheduled_departure?: string | null
  readonly scheduled_arrival?: string | null
}

/** The longest connection, by IATA's fare rules; whoever flies on later has stopped over. */
const CONNECTION_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * What follows from the legs of a ticket sale; without legs, nothing does.
 *
 * - `round_trip`: several legs, the last of which arrives in the city where the first departs, as the specification
 *   has it. What lies between does not matter: a circle trip is one, and so is an open jaw at the far end.
 * - `one_way`: a single leg, or legs that lead on and on to another city, by connections or stopovers.
 * - `multi_city`: all others. There is a surface sector between two legs, or the way turns and ends in another city
 *   than it began: a city comes twice, or the traveller stayed abroad and is back in the country, an open jaw at home.
 *
 * The airports of a city are one place; one that is unknown is a city for itself, in no country.
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

/** Between two legs. Both times are on the clock of one city, so they can be compared; null where one is not known. */
function millisecondsOf({ arriving, leaving }: Stop): number | null {
  if (!arriving.scheduled_arrival || !leaving.scheduled_departure) return null
  return Date.parse(`${leaving.scheduled_departure}Z`) - Date.parse(`${arriving.scheduled_arrival}Z`)
}
/** One whose times are not known is taken for a stay. */
const isStay = (stop: Stop): boolean => (millisecondsOf(stop) ?? Number.POSITIVE_INFINITY) > CONNECTION_HOURS * HOUR_MS

type Stop = { readonly arriving: Leg; readonly leaving: Leg }
const stopsOf = (legs: readonly Leg[]): Stop[] =>
  legs.slice(1).map((leaving, index) => ({ arriving: legs[index] as Leg, leaving }))

/**
 * When the legs begin, and where they lead: where the last one arrives or, of a round trip, which ends at home, where
 * the traveller stays longest; in the middle of it, where not all times are known.
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
