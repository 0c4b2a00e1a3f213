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
export const SEGMENT_STATUSES = ['draft', 'proposed', 'option', 'confirmed', 'ticketed', 'cancelled'] as const
