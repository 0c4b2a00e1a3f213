import { termKey } from '../../../catalogue/term-key.ts'
import { type Airport, airport, cityOf, everyAirport } from '../../airports.ts'
import { countryNamed } from '../../countries.ts'

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

/** Four decimals of a degree are eleven metres. */
const DEGREE_DIGITS = 4

type Airports = { readonly all: readonly Airport[]; readonly byCity: ReadonlyMap<string, readonly Airport[]> }

let loaded: Airports | undefined
function airports(): Airports {
  loaded ??= load()
  return loaded
}

function load(): Airports {
  const all = everyAirport()
  const named = all.flatMap((airport) => cityKeys(airport).map((key) => ({ key, airport })))
  const byKey = [...Map.groupBy(named, ({ key }) => key)]
  return { all, byCity: new Map(byKey.map(([key, found]) => [key, found.map(({ airport }) => airport)])) }
}

/** Many airports lie in a village, and are named after the city beside it: Athens, Brussels, Lyon. */
function cityKeys({ city, name }: Airport): string[] {
  const [first = '', second = ''] = termKey(name).split('_')
  return [...new Set([termKey(city ?? ''), first, `${first}_${second}`])]
}

/** Where an airport is; null where the data set has none of this code. */
export function placeOfAirport(code: string): Place | null {
  const known = airport(code)
  if (!known) return null
  const { country, city, latitude, longitude, timeZone } = known
  return { country, city: city ?? known.name, latitude, longitude, timeZone }
}

/** The countries that a text names, its parts being divided by commas. */
export const countriesIn = (text: string): string[] => partsOf(text).flatMap((part) => countryNamed(part) ?? [])

/**
 * The city that a text names, or its country: "Barcelona, Spain", or an address. Of cities of one name the one is meant
 * that lies in a country that the text or the rest of the trip names, else the one with several airports, and where that
 * is not clear either, none.
 */
export function placeNamed(text: string, near: ReadonlySet<string>): Place | null {
  const named = new Set(countriesIn(text))
  let elsewhere = false
  for (const part of partsOf(text)) {
    const known = airports().byCity.get(termKey(part)) ?? []
    const here = named.size > 0 ? known.filter(({ country }) => named.has(country)) : known
    const meant = onlyCountry(here) ?? onlyCountry(here.filter(({ country }) => near.has(country)))
    const city = meant ?? onlyCountry(here.filter(({ code }) => cityOf(code) !== code))
    if (city) return placeOfCity(part, city)
    elsewhere ||= known.length > 0 && here.length === 0
  }
  const [country] = named // not that of “Atlanta, Georgia”
  return country !== undefined && named.size === 1 && !elsewhere ? inCountry(country) : null
}

export const inCountry = (country: string): Place => ({
  country,
  city: null,
  latitude: null,
  longitude: null,
  timeZone: null,
})

/** The nearest airport, whose country and clock a point on the map is taken to have. */
export function nearestAirport(latitude: number, longitude: number): Airport {
  const nearness = nearnessTo(latitude, longitude)
  return airports().all.reduce((best, next) => (nearness(next) > nearness(best) ? next : best))
}

/** The cosine of the distance on a sphere, which is enough to find the nearest. */
function nearnessTo(latitude: number, longitude: number): (airport: Airport) => number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.sin(radians(latitude)), Math.cos(radians(latitude))]
  return (other) =>
    sine * Math.sin(radians(other.latitude)) +
    cosine * Math.cos(radians(other.latitude)) * Math.cos(radians(longitude - other.longitude))
}

/** Without house numbers and postcodes, which stand beside a city in an address. */
const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.replace(/\S*\d\S*/g, '').trim())
    .filter((part) => part !== '')

/** The airports, if they are those of one country. */
const onlyCountry = (found: readonly Airport[]): readonly Airport[] | null =>
  found.length > 0 && found.every(({ country }) => country === found[0]?.country) ? found : null

/** A city lies amid its airports. */
function placeOfCity(name: string, found: readonly Airport[]): Place {
  const { country, timeZone } = found[0] as Airport
  const city = found.find((airport) => termKey(airport.city ?? '') === termKey(name))?.city ?? name
  const middle = (axis: 'latitude' | 'longitude') =>
    Number((found.reduce((sum, airport) => sum + airport[axis], 0) / found.length).toFixed(DEGREE_DIGITS))
  return { country, city, latitude: middle('latitude'), longitude: middle('longitude'), timeZone }
}
