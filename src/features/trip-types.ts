/** Kinds of trips, and of what a lead asks for. */
export const TRIP_TYPES = [
  'leisure',
  'honeymoon',
  'family',
  'group',
  'corporate',
  'mice',
  'cruise',
  'pilgrimage',
  'education',
] as const
