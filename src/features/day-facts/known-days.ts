import { dayIn, isTimeZone } from '../../platform/time.ts'
import type { FoundPlace, TripOfDays } from './day-facts.store.ts'
import type { KnownDay } from './fact-provider.ts'
import type { Place } from './gazetteer.ts'
import { type WrittenPlace, writtenOf } from './places-of-days.ts'

type DayOfTrip = TripOfDays['days'][number]
const NOWHERE: WrittenPlace = { primary_location: null, latitude: null, longitude: null, timezone: null }

/**
 * The columns of a day whose empty place columns are filled from its place, if that is a point on the map; null if
 * nothing changes.
 */
export function changedPlace(day: DayOfTrip, place: Place | undefined): FoundPlace | null {
  const written = writtenOf(day)
  const found = place === undefined || place.latitude === null ? NOWHERE : columnsOf(place)
  const hasPoint = written.latitude !== null || written.longitude !== null
  const filled = {
    primary_location: written.primary_location === null ? found.primary_location : null,
    latitude: hasPoint ? null : found.latitude,
    longitude: hasPoint ? null : found.longitude,
    timezone: written.timezone === null ? found.timezone : null,
  }
  const columns = {
    primary_location: written.primary_location ?? filled.primary_location,
    latitude: written.latitude ?? filled.latitude,
    longitude: written.longitude ?? filled.longitude,
    timezone: written.timezone ?? filled.timezone,
  }
  const same = Object.entries(columns).every(([name, value]) => day[name as keyof WrittenPlace] === value)
  return same ? null : { id: day.id, ...columns, found_place: filled, updated_at: day.updated_at }
}

const columnsOf = ({ city, latitude, longitude, timeZone }: Place): WrittenPlace => ({
  primary_location: city,
  latitude,
  longitude,
  timezone: timeZone,
})

/** A day as providers see it. Its calendar is that of its place. */
export function knownDay(
  { currencies }: TripOfDays,
  { date }: DayOfTrip,
  place: Place | undefined,
  now: number,
): KnownDay {
  const timeZone = place?.timeZone && isTimeZone(place.timeZone) ? place.timeZone : null
  return {
    date,
    today: dayIn(timeZone ?? 'UTC', now),
    country: place?.country ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    timeZone,
    currencies,
  }
}
