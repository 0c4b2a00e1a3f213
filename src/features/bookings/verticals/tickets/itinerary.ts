import { airport, cityOf } from '../../../airports.ts'

export type Itinerary = {
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
export function itineraryOf(legs: readonly Leg[]): Itinerary {
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
  return stopsOf(legs).some(({ arriving, leaving }) => {
    const country = countryOf(arriving.arrival_airport)
    return country !== null && country !== home && isStay(arriving, leaving)
  })
}

/** Both times are on the clock of one city, so they can be compared. One that is not known is taken for a stay. */
function isStay(arriving: Leg, leaving: Leg): boolean {
  if (!arriving.scheduled_arrival || !leaving.scheduled_departure) return true
  const ms = Date.parse(`${leaving.scheduled_departure}Z`) - Date.parse(`${arriving.scheduled_arrival}Z`)
  return ms > CONNECTION_HOURS * HOUR_MS
}

const stopsOf = (legs: readonly Leg[]): { arriving: Leg; leaving: Leg }[] =>
  legs.slice(1).map((leaving, index) => ({ arriving: legs[index] as Leg, leaving }))
