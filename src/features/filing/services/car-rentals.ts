import { clockAt, dateOf, joined, type Piece, type Service, type Setting, serviceOf } from '../piece.ts'

/** Instants are milliseconds since the epoch. */
type Row = {
  readonly vehicle_class: string | null
  readonly pickup_location: string | null
  readonly dropoff_location: string | null
  readonly pickup_at: number | null
  readonly return_at: number | null
}
const WORDS = {
  en: { pickUp: 'Pick-up', return: 'Return' },
  tr: { pickUp: 'Teslim alma', return: 'Teslim etme' },
}

/** The pick-up of a car and its return, each on its day, on the account's clock. */
export function rentalService(row: Row, { timeZone, locale }: Setting): Service | null {
  const words = locale.startsWith('tr') ? WORDS.tr : WORDS.en
  const at = (piece: string, ms: number | null, word: string, place: string | null): Piece[] => {
    if (ms === null) return []
    const start_time = clockAt(ms, timeZone)
    const title = joined([word, row.vehicle_class], ': ')
    const of = { piece, segment_type: 'car_rental', date: dateOf(start_time) } as const
    return [{ ...of, start_time, end_time: null, title, location_name: place }]
  }
  return serviceOf([
    ...at('pick-up', row.pickup_at, words.pickUp, row.pickup_location),
    ...at('return', row.return_at, words.return, row.dropoff_location ?? row.pickup_location),
  ])
}
