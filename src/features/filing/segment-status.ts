import type { SegmentStatus } from './piece.ts'

/** The states of bookings for each state of their segments. Documents that were exchanged are flown by another sale. */
export const BOOKING_STATES: Readonly<Record<SegmentStatus, readonly string[]>> = {
  draft: ['draft', 'lead', 'planning', 'requested'],
  proposed: ['quoted'],
  option: ['option'],
  confirmed: [
    'confirmed',
    'contracted',
    'in_house',
    'checked_out',
    'in_progress',
    'out',
    'returned',
    'sailing',
    'operating',
    'completed',
  ],
  ticketed: ['issued', 'partly_voided'],
  cancelled: ['cancelled', 'void', 'refunded', 'exchanged', 'no_show'],
}
const known = new Map(
  Object.entries(BOOKING_STATES).flatMap(([status, ofBookings]) =>
    ofBookings.map((ofBooking) => [ofBooking, status as SegmentStatus]),
  ),
)

/** The state of the segments of a booking; a state of which nothing is known is that of a draft. */
export const segmentStatus = (ofBooking: string): SegmentStatus => known.get(ofBooking) ?? 'draft'
