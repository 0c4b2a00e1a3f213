import { required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, currency, date, email, integer, money, oneOf, phone, string, term } from '../../catalogue/kinds.ts'
import { uuid } from '../assigned-seat.ts'
import { tags, textSet } from '../text-set.ts'
import { TRIP_TYPES } from '../trip-types.ts'
import { LOST_REASONS, STAGES } from './stages.ts'

export const PARTY = 100_000
const DESTINATIONS = 100
const DESTINATION_LENGTH = 200
export const TEXT_LENGTH = 10_000
const people = integer(0, PARTY)

/** What a write of a lead may hold beside `company_id`, and `stage` when it is made. */
export const leadAttributes = {
  name: required(string(200)),
  email,
  phone,
  source: term('lead_source'),
  estimated_value: money(),
  currency,
  budget_per_person: money(),
  party_size: people,
  adult_count: people,
  child_count: people,
  destinations: { ...textSet(DESTINATIONS, DESTINATION_LENGTH), default: [] as string[] },
  target_departure_on: date,
  target_return_on: date,
  flexible_dates: { ...boolean, default: false },
  occasion: string(100),
  trip_type: oneOf(...TRIP_TYPES),
  tags: { ...tags, default: [] as string[] },
  message: string(TEXT_LENGTH),
  notes: string(TEXT_LENGTH),
  assigned_to_id: uuid,
} satisfies Record<string, Field>

export const newLeadAttributes = { ...leadAttributes, stage: { ...oneOf(...STAGES), default: 'inbox' } }

export const transitionAttributes = {
  stage: required(oneOf(...STAGES)),
  reason: oneOf(...LOST_REASONS),
  notes: string(TEXT_LENGTH),
} satisfies Record<string, Field>

/** What a conversion may say where the lead does not: of the trip, and who the customer is. */
export const conversionAttributes = {
  customer_id: uuid,
  title: string(200),
  start_date: date,
  end_date: date,
  assigned_to_id: uuid,
} satisfies Record<string, Field>
