/** What a segment of a trip can be. */
export const SEGMENT_TYPES = [
  'flight',
  'lodging',
  'transfer',
  'car_rental',
  'rail',
  'bus',
  'ferry',
  'cruise',
  'tour',
  'activity',
  'dining',
  'insurance',
  'visa',
  'event',
  'meeting_point',
  'free_time',
  'note',
] as const
/** What bookings are known of by their days alone, midnight to midnight; of the others they tell the hour. */
export const KNOWN_BY_DAYS: readonly (typeof SEGMENT_TYPES)[number][] = [
  'lodging',
  'cruise',
  'tour',
  'event',
  'bus',
  'rail',
]
export const SEGMENT_STATUSES = ['draft', 'proposed', 'option', 'confirmed', 'ticketed', 'cancelled'] as const
