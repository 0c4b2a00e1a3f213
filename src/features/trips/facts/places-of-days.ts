import { daysBetween } from '../../../platform/time.ts'
import { countriesIn, inCountry, nearestAirport, type Place, placeNamed, placeOfAirport } from './gazetteer.ts'

/** The columns of a day that say where it is. */
export type WrittenPlace = {
  readonly primary_location: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timezone: string | null
}
export type Day = WrittenPlace & {
  readonly id: string
  /** What was found before: where a column still says it, nobody has written anything else. */
  readonly found_place: WrittenPlace | null
}
/** What is known of where a segment leads. */
export type Stop = {
  readonly day: string
  readonly start_time: string | null
  readonly end_time: string | null
  readonly departure_airport: string | null
  readonly arrival_airport: string | null
  readonly location_name: string | null
  readonly location_address: string | null
}
/** Days and stops in the order of the itinerary. */
export type Journey = {
  readonly destinations: readonly string[]
  readonly days: readonly Day[]
  readonly stops: readonly Stop[]
}

const LATITUDE_MAXIMUM = 90
const LONGITUDE_MAXIMUM = 180

/**
 * Where each day ends: where somebody wrote that it is, else where its last segment leads, else where the day before
 * ended. A trip that leads nowhere known is at its destinations, if these are one city, or in one country.
 */
export function placesOfDays({ destinations, days, stops }: Journey): ReadonlyMap<string, Place> {
  const near = new Set([
    ...destinations.flatMap(countriesIn),
    ...stops.flatMap(({ departure_airport, arrival_airport }) =>
      [departure_airport, arrival_airport].flatMap((code) => placeAt(code)?.country ?? []),
    ),
  ])
  const reached = lastPlaces(days, stops, near)
  const places = new Map<string, Place>()
  let current = placeOfAll(destinations, near)
  for (const day of days) {
    current = reached.get(day.id) ?? current
    current = writtenPlace(day, near) ?? current
    if (current) places.set(day.id, current)
  }
  return places
}

/** What somebody wrote, without what was found before. */
export function writtenOf(day: Day): WrittenPlace {
  const own = <K extends keyof WrittenPlace>(column: K): WrittenPlace[K] | null =>
    day[column] === day.found_place?.[column] ? null : day[column]
  return {
    primary_location: own('primary_location'),
    latitude: own('latitude'),
    longitude: own('longitude'),
    timezone: own('timezone'),
  }
}

function writtenPlace(day: Day, near: ReadonlySet<string>): Place | null {
  const { primary_location, latitude, longitude, timezone } = writtenOf(day)
  const named = primary_location === null ? null : placeNamed(primary_location, near)
  if (latitude === null || longitude === null) return named && { ...named, timeZone: timezone ?? named.timeZone }
  if (Math.abs(latitude) > LATITUDE_MAXIMUM || Math.abs(longitude) > LONGITUDE_MAXIMUM) return named
  const nearest = nearestAirport(latitude, longitude)
  return {
    country: named?.country ?? nearest.country,
    city: named?.city ?? null,
    latitude,
    longitude,
    timeZone: timezone ?? nearest.timeZone,
  }
}

const placeAt = (code: string | null): Place | null => (code === null ? null : placeOfAirport(code))

/** The last known place that the segments of each day lead to; an arrival counts on its own date. */
function lastPlaces(days: readonly Day[], stops: readonly Stop[], near: ReadonlySet<string>): Map<string, Place> {
  const order = new Map(days.map(({ id }, at) => [id, at]))
  const last = new Map<string, Place>()
  const reach = (at: number, place: Place | null) => {
    const day = days[Math.min(at, days.length - 1)]
    if (place && day) last.set(day.id, place)
  }
  for (const stop of stops) {
    const at = order.get(stop.day) ?? 0
    reach(at, placeAt(stop.departure_airport))
    reach(at + nightsOf(stop), placeAt(stop.arrival_airport))
    if (stop.departure_airport === null && stop.arrival_airport === null) reach(at, placeOfStop(stop, near))
  }
  return last
}

function nightsOf({ start_time, end_time }: Stop): number {
  if (start_time === null || end_time === null) return 0
  return Math.max(0, daysBetween(start_time.slice(0, 10), end_time.slice(0, 10)))
}

/** A street may be called after another city, so that an address is read from its end. */
function placeOfStop({ location_name, location_address }: Stop, near: ReadonlySet<string>): Place | null {
  const named = location_name === null ? null : placeNamed(location_name, near)
  if (named?.city || location_address === null) return named
  return placeNamed(location_address.split(',').reverse().join(','), near) ?? named
}

function placeOfAll(destinations: readonly string[], near: ReadonlySet<string>): Place | null {
  const places = destinations.map((destination) => placeNamed(destination, near))
  const [first] = places
  if (!first || places.some((place) => place?.country !== first.country)) return null
  return places.length === 1 ? first : inCountry(first.country)
}
