/** What happens to records. */
export const RECORD_EVENTS = ['record.created', 'record.updated', 'record.deleted'] as const

/** The entities whose records are heard of, in the order of the documents. */
export const FIRING_ENTITIES = [
  'tickets',
  'hotel_stays',
  'transfers',
  'cruises',
  'car_rentals',
  'tour_bookings',
  'tour_departures',
  'charters',
  'visa_cases',
  'events',
] as const
