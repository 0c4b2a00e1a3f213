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
/** Types with dates only, midnight to midnight; the others have times. */
export const KNOWN_BY_DAYS: readonly (typeof SEGMENT_TYPES)[number][] = [
  'lodging',
  'cruise',
  'tour',
  'event',
  'bus',
  'rail',
]
export const SEGMENT_STATUSES = ['draft', 'proposed', 'option', 'confirmed', 'ticketed', 'cancelled'] as const
