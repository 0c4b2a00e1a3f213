import { type Service, serviceOf, serviceOfDays } from '../piece.ts'
import { flightsOf, type Leg } from './flights.ts'

type Days = { readonly first: string | null; readonly last: string | null }

/** A cruise, on the day of the embarkation. */
export const cruiseService = (
  row: Days & { readonly ship_name: string | null; readonly cabin_category: string | null },
): Service | null =>
  serviceOfDays(row.first, row.last, {
    piece: 'cruise',
    segment_type: 'cruise',
    title: row.ship_name,
    description: row.cabin_category,
  })

/** A tour, on the day of its departure. */
export const tourService = (
  row: Days & {
    readonly title: string
    readonly pickup_point: string | null
    readonly booking_reference: string | null
  },
): Service | null =>
  serviceOfDays(
    row.first,
    row.last,
    { piece: 'tour', segment_type: 'tour', title: row.title, location_name: row.pickup_point },
    row.booking_reference,
  )

/** An event, on its first day. */
export const eventService = (
  row: Days & { readonly title: string; readonly venue_name: string | null; readonly city: string | null },
): Service | null =>
  serviceOfDays(row.first, row.last, {
    piece: 'event',
    segment_type: 'event',
    title: row.title,
    location_name: row.venue_name ?? row.city,
    location_address: row.venue_name === null ? null : row.city,
  })

/** Services that belong to a trip by their days but do not take place on one: visas. */
export const silentService = ({ first, last }: Days): Service | null =>
  first === null ? null : { first, last: last ?? first, pieces: [] }

const VEHICLES = { bus: 'bus', train: 'rail', yacht: 'cruise' } as const

/** The flights of a charter, else the days of its vehicle; without flights a plane is silent. */
export function charterService(
  row: Days & {
    readonly charter_type: 'flight' | keyof typeof VEHICLES | null
    readonly contract_number: string | null
    readonly legs: readonly Leg[] | null
  },
): Service | null {
  const { charter_type: type, contract_number, first, last } = row
  const flights = serviceOf(flightsOf(row.legs ?? []), contract_number)
  if (flights || type === null || type === 'flight') return flights ?? silentService(row)
  return serviceOfDays(first, last, { piece: 'charter', segment_type: VEHICLES[type], title: null }, contract_number)
}
