import { airport } from '../../geography/airports.ts'
import type { Point } from '../../geography/distance.ts'
import { daysBetween } from '../../platform/time.ts'
import { inCountry, nearestAirport, type Place, placeOfAirport } from './gazetteer.ts'
import { likelyCountries } from './likely-countries.ts'
import { type Hints, type Named, placeNamed } from './place-named.ts'

/** The columns of a day with its place. */
export type WrittenPlace = {
  readonly primary_location: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timezone: string | null
}
export type PlacedDay = WrittenPlace & {
  readonly id: string
  /** The previously found place: columns that still equal it were not edited. */
  readonly found_place: WrittenPlace | null
}
/** The known place of a segment. */
export type Stop = {
  readonly day: string
  readonly start_time: string | null
  readonly end_time: string | null
  readonly departure_airport: string | null
  readonly arrival_airport: string | null
  readonly location_name: string | null
  readonly location_address: string | null
  /** ISO 3166-1. */
  readonly supplier_country: string | null
}
/** Days and stops in the order of the itinerary. */
export type Journey = {
  readonly destinations: readonly string[]
  readonly days: readonly PlacedDay[]
  readonly stops: readonly Stop[]
}

const LATITUDE_MAXIMUM = 90
const LONGITUDE_MAXIMUM = 180

/**
 * The place where each day ends: the entered place, or the destination of its last segment, or the place of the day
 * before. A trip without known destinations is at its own destinations, if these are one city, or in one country. A day
 * with an ambiguous name has no place, nor have the days after it until the next certain place.
 */
export function placesOfDays({ destinations, days, stops }: Journey): ReadonlyMap<string, Place> {
  const flown = stops.flatMap(({ departure_airport, arrival_airport }) =>
    [departure_airport, arrival_airport].flatMap((code) => (code === null ? [] : (airport(code) ?? []))),
  )
  const written = days.map((day) => writtenOf(day).primary_location)
  const likelyFor = likelyCountries([...destinations, ...written], flown)
  const trip = { flown, likely: likelyFor(null) }
  const reached = reachedOn(days, stops)
  const places = new Map<string, Place>()
  let current = placeOfAll(destinations, (name) => ({ flown, likely: likelyFor(name), from: null }))
  for (const [at, day] of days.entries()) {
    for (const reach of reached[at] ?? []) current = after(current, reach({ ...trip, from: pointOf(current) }))
    current = after(
      current,
      writtenPlace(day, { flown, likely: likelyFor(written[at] ?? null), from: pointOf(current) }),
    )
    if (current) places.set(day.id, current)
  }
  return places
}

/** An unknown name changes nothing; an ambiguous one clears the known place. */
const after = (before: Place | null, named: Named): Place | null =>
  named === null ? before : named === 'ambiguous' ? null : named

const pointOf = (place: Place | null): Hints['from'] =>
  place === null || place.latitude === null || place.longitude === null
    ? null
    : { country: place.country, latitude: place.latitude, longitude: place.longitude }

/** The columns that were entered, without those found before. */
export function writtenOf(day: PlacedDay): WrittenPlace {
  const own = <K extends keyof WrittenPlace>(column: K): WrittenPlace[K] | null =>
    day[column] === day.found_place?.[column] ? null : day[column]
  return {
    primary_location: own('primary_location'),
    latitude: own('latitude'),
    longitude: own('longitude'),
    timezone: own('timezone'),
  }
}

function writtenPlace(day: PlacedDay, hints: Hints): Named {
  const { primary_location, latitude, longitude, timezone } = writtenOf(day)
  const point = pointOnMap(latitude, longitude)
  const nearest = point && nearestAirport(point.latitude, point.longitude)
  const from = nearest ? { ...point, country: nearest.country } : hints.from
  const named = primary_location === null ? null : placeNamed(primary_location, { ...hints, from })
  const place = named === 'ambiguous' ? null : named
  if (!nearest) return place ? { ...place, timeZone: timezone ?? place.timeZone } : named
  return {
    country: place?.country ?? nearest.country,
    city: place?.city ?? null,
    ...point,
    timeZone: timezone ?? nearest.timeZone,
  }
}

const pointOnMap = (latitude: number | null, longitude: number | null): Point | null =>
  latitude === null ||
  longitude === null ||
  Math.abs(latitude) > LATITUDE_MAXIMUM ||
  Math.abs(longitude) > LONGITUDE_MAXIMUM
    ? null
    : { latitude, longitude }

const placeAt = (code: string | null): Place | null => (code === null ? null : placeOfAirport(code))

type Reach = (hints: Hints) => Named
/** Where the segments of each day lead, in their order; an arrival counts on its own date. */
function reachedOn(days: readonly PlacedDay[], stops: readonly Stop[]): readonly Reach[][] {
  const order = new Map(days.map(({ id }, at) => [id, at]))
  const reached = days.map((): Reach[] => [])
  const reach = (at: number, place: Reach) => reached[Math.min(at, days.length - 1)]?.push(place)
  for (const stop of stops) {
    const at = order.get(stop.day) ?? 0
    const [from, to] = [placeAt(stop.departure_airport), placeAt(stop.arrival_airport)]
    reach(at, () => from)
    reach(at + nightsOf(stop), () => to)
    if (stop.departure_airport === null && stop.arrival_airport === null) reach(at, (hints) => placeOfStop(stop, hints))
  }
  return reached
}

function nightsOf({ start_time, end_time }: Stop): number {
  if (start_time === null || end_time === null) return 0
  return Math.max(0, daysBetween(start_time.slice(0, 10), end_time.slice(0, 10)))
}

/** A street may be called after another city, so that an address is read from its end. */
function placeOfStop({ location_name, location_address, supplier_country }: Stop, trip: Hints): Named {
  const hints = supplier_country === null ? trip : { ...trip, likely: new Set([...trip.likely, supplier_country]) }
  const venue = location_name === null ? null : placeNamed(location_name, hints, 'venue')
  const named = venue === 'ambiguous' ? null : venue
  if (named?.city || location_address === null) return named
  return placeNamed(location_address.split(',').reverse().join(','), hints) ?? named
}

function placeOfAll(destinations: readonly string[], hints: (name: string) => Hints): Place | null {
  const places = destinations.map((destination) => placeNamed(destination, hints(destination)))
  const [first] = places
  if (!first || first === 'ambiguous') return null
  if (places.some((place) => place === 'ambiguous' || place?.country !== first.country)) return null
  return places.length === 1 ? first : inCountry(first.country)
}
