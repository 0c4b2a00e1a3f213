import { type Airport, airport, everyAirport } from '../../geography/airports.ts'

/** Somewhere in the world: at least a country. */
export type Place = {
  /** ISO 3166-1, two letters. */
  readonly country: string
  readonly city: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  /** IANA's. */
  readonly timeZone: string | null
}

/** The position of an airport; null for an unknown code. */
export function placeOfAirport(code: string): Place | null {
  const known = airport(code)
  if (!known) return null
  const { country, city, latitude, longitude, timeZone } = known
  return { country, city: city ?? known.name, latitude, longitude, timeZone }
}

export const inCountry = (country: string): Place => ({
  country,
  city: null,
  latitude: null,
  longitude: null,
  timeZone: null,
})

let airports: readonly Airport[] | undefined
/** The nearest airport, whose country and clock a point on the map is taken to have. */
export function nearestAirport(latitude: number, longitude: number): Airport {
  const nearness = nearnessTo(latitude, longitude)
  airports ??= everyAirport()
  return airports.reduce((best, next) => (nearness(next) > nearness(best) ? next : best))
}

/** The cosine of the distance on a sphere, which is enough to find the nearest. */
function nearnessTo(latitude: number, longitude: number): (airport: Airport) => number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.sin(radians(latitude)), Math.cos(radians(latitude))]
  return (other) =>
    sine * Math.sin(radians(other.latitude)) +
    cosine * Math.cos(radians(other.latitude)) * Math.cos(radians(longitude - other.longitude))
}
