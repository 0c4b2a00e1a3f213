import { Texts } from '../../../platform/http/shapes.ts'

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

/** Of a lead or a trip. Some are imported, as up to 1000 characters with commas. */
export const Destinations = Texts(500, 1000)
