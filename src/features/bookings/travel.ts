import type { Values } from '../../catalogue/read-cells.ts'
import { airport } from '../../geography/airports.ts'
import { dayIn } from '../../platform/time.ts'

/** What reports ask of a booking and only its vertical knows. */
export type Travel = {
  /** The day of travel, by the local clock if known. */
  readonly on: string | null
  /** The destination of the last leg or the service; null if only the supplier knows it. */
  readonly to: string | null
}
export type TravelOf = (record: Values, timeZone: string) => Travel

/** The columns of a booking that store it. */
export const travelColumns = ({ on, to }: Travel) => ({ travels_on: on, destination: to })

export const textOrNull = (cell: unknown): string | null => (typeof cell === 'string' && cell !== '' ? cell : null)
/** The day of an instant, UTC as a record has it. */
export const dayOfInstant = (instant: unknown, timeZone: string): string | null =>
  typeof instant === 'string' ? dayIn(timeZone, Date.parse(instant)) : null

/** A city and its country, as a destination is written. */
export const cityIn = (city: string | null, country: string | null): string | null =>
  [city, country].filter((part) => part !== null).join(', ') || null

/** The city of an airport; its code if unknown. */
export function cityOfAirport(code: string): string {
  const known = airport(code)
  return known ? `${known.city ?? known.name}, ${known.country}` : code
}
