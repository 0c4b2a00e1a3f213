import { airport } from '../../../geography/airports.ts'
import {
  clockAt,
  dateOf,
  durationMinutes,
  joined,
  type Piece,
  type Service,
  type Setting,
  serviceOf,
} from '../piece.ts'

/** Instants are milliseconds since the epoch. */
type Row = {
  readonly pickup_at: number
  readonly dropoff_at: number | null
  readonly return_pickup_at: number | null
  readonly pickup_location: string
  readonly dropoff_location: string
  readonly pickup_address: string | null
  readonly dropoff_address: string | null
  readonly flight_number: string | null
  readonly flight_airport: string | null
  readonly vehicle_class: string | null
  readonly confirmation_number: string | null
}

/** The transfer, and the return of a round trip, in the airport's local time if known, otherwise the account's. */
export function transferService(row: Row, { timeZone }: Setting): Service | null {
  const zone = airport(row.flight_airport?.toUpperCase() ?? '')?.timeZone ?? timeZone
  const clock = (at: number | null) => (at === null ? null : clockAt(at, zone))
  const way = (piece: string, at: number, until: number | null, places: readonly [string, string]): Piece => ({
    piece,
    segment_type: 'transfer',
    date: dateOf(clockAt(at, zone)),
    start_time: clock(at),
    end_time: clock(until),
    duration_minutes: until === null ? null : durationMinutes(at, until),
    title: places.join(' – '),
    description: joined([row.flight_number, row.vehicle_class], ' · '),
    location_name: places[0],
    location_address: piece === 'way' ? row.pickup_address : row.dropoff_address,
  })
  const { pickup_at, dropoff_at, return_pickup_at, pickup_location, dropoff_location } = row
  const there = way('way', pickup_at, dropoff_at, [pickup_location, dropoff_location])
  const back =
    return_pickup_at === null ? [] : [way('way back', return_pickup_at, null, [dropoff_location, pickup_location])]
  return serviceOf([there, ...back], row.confirmation_number)
}
