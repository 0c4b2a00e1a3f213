import { money } from '../../catalogue/amounts.ts'
import { count } from '../../catalogue/count.ts'
import { pii, required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, currency, date, email, oneOf, phone, string, uuid } from '../../catalogue/kinds.ts'
import { textSet } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { tags } from '../../catalogue/tags.ts'
import { TRIP_TYPES } from '../trips/reads/trip-types.ts'
import { leadSource } from './lead-source.ts'
import { LOST_REASONS, STAGES } from './stages.ts'

const DESTINATIONS = 100
const DESTINATION_LENGTH = 200
export const TEXT_LENGTH = 10_000
const price = { sees: 'money' } as const

/** The attributes of a lead write, besides `company_id`, and `stage` for a new lead. */
export const leadAttributes = {
  name: required(pii(string(200))),
  email: pii(email),
  phone: pii(phone),
  source: leadSource,
  estimated_value: { ...money(), ...price },
  currency,
  budget_per_person: { ...money(), ...price },
  party_size: count,
  adult_count: count,
  child_count: count,
  destinations: { ...textSet(DESTINATIONS, DESTINATION_LENGTH), default: [] as string[] },
  target_departure_on: date,
  target_return_on: date,
  flexible_dates: { ...boolean, default: false },
  occasion: string(100),
  trip_type: oneOf(...TRIP_TYPES),
  tags: { ...tags, default: [] as string[] },
  message: pii(string(TEXT_LENGTH)),
  notes: pii(string(TEXT_LENGTH)),
  assigned_to_id: uuid,
} satisfies Record<string, Field>

/** Whether the return is before the departure. */
export const returnsTooEarly = ({ target_departure_on: departure, target_return_on: back }: Values): boolean =>
  Boolean(departure && back && String(back) < String(departure))

export const newLeadAttributes = { ...leadAttributes, stage: { ...oneOf(...STAGES), default: 'inbox' } }

export const transitionAttributes = {
  stage: required(oneOf(...STAGES)),
  reason: oneOf(...LOST_REASONS),
  notes: string(TEXT_LENGTH),
} satisfies Record<string, Field>

/** The attributes that a conversion may set in the trip. */
export const newTripAttributes = {
  title: string(200),
  start_date: date,
  end_date: date,
  assigned_to_id: uuid,
} satisfies Record<string, Field>
