import { stateMeaning } from '../bookings/reads/booking-states.ts'
import type { SegmentStatus } from './piece.ts'

/** The status of the segments of a booking; draft for a state that a newer version of the program wrote. */
export const segmentStatus = (state: string): SegmentStatus => stateMeaning(state)?.segments ?? 'draft'
