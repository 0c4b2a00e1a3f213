import { airport } from '../../src/geography/airports.ts'

export const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

const zoneOf = (code: string): string => airport(code)?.timeZone ?? 'UTC'
const zoned = (local: string, code: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zoneOf(code))

/** The local time at an airport, as 2026-05-01T14:30, with its offset: 2026-05-01T14:30:00+03:00. */
export const withOffset = (local: string, code: string): string => `${local}:00${zoned(local, code).offset}`

/** The local time at one airport, a number of minutes after a local time at another. */
export const later = (local: string, code: string, minutes: number, at = code): string =>
  zoned(local, code).add({ minutes }).withTimeZone(zoneOf(at)).toPlainDateTime().toString().slice(0, 16)

const EARTH_KM = 6371
const RADIAN = Math.PI / 180
/** Along the great circle. */
export function distanceKm(from: string, to: string): number {
  const [a, b] = [airport(from), airport(to)]
  if (!a || !b) throw new Error(`No airport ${a ? to : from}.`)
  const [one, other] = [a.latitude * RADIAN, b.latitude * RADIAN]
  const haversine =
    Math.sin((other - one) / 2) ** 2 +
    Math.cos(one) * Math.cos(other) * Math.sin(((b.longitude - a.longitude) * RADIAN) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.sqrt(haversine))
}
