import type { Dirty } from './add-dirt.ts'
import type { EntityKey } from './make-agency.ts'
import type { Row } from './pieces/row.ts'

/** The states of each vertical from which a booking can be cancelled. */
const CANCELLABLE = {
  tickets: ['draft', 'option', 'issued', 'partly_voided'],
  hotel_stays: ['draft', 'option', 'confirmed', 'in_house'],
  transfers: ['draft', 'option', 'confirmed'],
  cruises: ['draft', 'option', 'confirmed'],
  car_rentals: ['draft', 'option', 'confirmed'],
  tour_bookings: ['draft', 'option', 'confirmed'],
} satisfies Partial<Record<EntityKey, readonly string[]>>
type Cancellable = keyof typeof CANCELLABLE
const VERTICALS = Object.keys(CANCELLABLE) as Cancellable[]

/** Every tenth booking that can be cancelled is. */
const EVERY = 10

/** Rows that cancel bookings of an agency that was imported, by vertical; to be sent with `on_conflict` `update`. */
export function makeCancellations({ kept, flawed }: Pick<Dirty, 'kept' | 'flawed'>): Record<Cancellable, Row[]> {
  const disputed = new Set(
    flawed.tickets.filter(({ code }) => code === 'duplicate_ticket_number').flatMap(({ row }) => numbersOf(row)),
  )
  const holdsDisputed = (row: Row) => numbersOf(row).some((number) => disputed.has(number))
  const cancel = (key: Cancellable): Row[] =>
    kept[key]
      .filter((row) => CANCELLABLE[key].includes(statusOf(row)) && !holdsDisputed(row))
      .filter((_, at) => at % EVERY === 0)
      .map(({ external_id }) => ({ external_id, status: 'cancelled' }))
  return Object.fromEntries(VERTICALS.map((key) => [key, cancel(key)])) as Record<Cancellable, Row[]>
}

/** In which state the booking was made; a sale with a ticketing deadline opens as an option. */
function statusOf({ status, option_date }: Row): string {
  return String(status ?? (option_date === undefined ? 'draft' : 'option')).toLowerCase()
}

/** A cancelled sale gives its numbers back, and the row that must fail for one of them would be imported after all. */
const numbersOf = ({ passengers }: Row): unknown[] => ((passengers ?? []) as Row[]).map((one) => one.ticket_number)
