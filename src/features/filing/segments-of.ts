import type { Booking } from './booking-services.store.ts'
import type { Piece, Service } from './piece.ts'
import { segmentStatus } from './segment-status.ts'

/** A segment as it follows from a booking that is filed into a trip. */
export type Derived = Piece & {
  readonly booking_id: string
  readonly trip_id: string
  readonly status: string
  readonly supplier_id: string | null
  readonly confirmation_number: string | null
  readonly price_amount?: string | null
  readonly currency?: string
  readonly cost_amount?: string | null
  readonly cost_currency?: string
  readonly commission_amount?: string | null
  readonly commission_rate?: string | null
}

/** The segments of a booking in its trip. The first one has the whole price, so that the segments of a trip add up. */
export function segmentsOf(booking: Booking, { pieces, confirmation_number = null }: Service, trip: string): Derived[] {
  const status = booking.deleted ? 'cancelled' : segmentStatus(booking.status)
  const { id, supplier_id, currency, commission_amount, commission_rate } = booking
  const money = {
    price_amount: booking.sell_total,
    currency,
    cost_amount: booking.cost_total,
    cost_currency: currency,
    commission_amount,
    commission_rate,
  }
  const shared = { booking_id: id, trip_id: trip, status, supplier_id, confirmation_number }
  return pieces.map((piece, at) => ({ ...piece, ...shared, ...(at === 0 && money) }))
}
