import { money, percent } from '../../catalogue/amounts.ts'
import { required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, currency, integer, oneOf, string, uuid } from '../../catalogue/kinds.ts'
import { imageUrl, wallClock } from './kinds.ts'
import { SEGMENT_STATUSES, SEGMENT_TYPES } from './reads/segment-kinds.ts'

const TEXT_LENGTH = 10_000
const MINUTES = 1_000_000

/** The attributes of a segment, besides its place in the trip. */
export const segmentAttributes = {
  segment_type: required(oneOf(...SEGMENT_TYPES)),
  status: { ...oneOf(...SEGMENT_STATUSES), default: 'draft' },
  title: string(300),
  description: string(TEXT_LENGTH),
  internal_notes: string(TEXT_LENGTH),
  start_time: wallClock,
  end_time: wallClock,
  duration_minutes: integer(0, MINUTES),
  location_name: string(300),
  location_address: string(1000),
  is_optional: { ...boolean, default: false },
  is_highlighted: { ...boolean, default: false },
  is_client_visible: { ...boolean, default: true },
  cover_image_url: imageUrl,
  flight_number: string(20),
  airline_code: string(10),
  departure_airport: string(10),
  arrival_airport: string(10),
  price_amount: { ...money(), sees: 'money' },
  currency: { ...currency, sees: 'money' }, // whether it may be cleared depends on the price
  cost_amount: { ...money('cost_currency'), sees: 'costs' },
  cost_currency: { ...currency, sees: 'costs' },
  commission_amount: { ...money('cost_currency'), sees: 'costs' },
  commission_rate: { ...percent, sees: 'costs' },
  supplier_id: { ...uuid, sees: 'costs' },
  confirmation_number: { ...string(100), sees: 'costs' },
} satisfies Record<string, Field>
