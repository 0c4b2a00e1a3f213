import Type from 'typebox'
import { required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { currency, date, oneOf, string, uuid } from '../../catalogue/kinds.ts'
import { degrees, imageUrl, settings, texts, timeZone } from './kinds.ts'
import { SCHEDULED_KINDS } from './reads/notification-kinds.ts'
import { SET_STATUSES } from './reads/trip-status.ts'
import { TRIP_TYPES } from './reads/trip-types.ts'

const DESTINATIONS = 100
const DESTINATION_LENGTH = 200
const TEXT_LENGTH = 10_000
const LANGUAGE = /^[a-z]{2}(-[A-Z]{2})?$/

const flag = { schema: Type.Boolean(), values: 'true or false', holds: (value: unknown) => typeof value === 'boolean' }
const language = {
  schema: Type.String({ pattern: LANGUAGE.source, maxLength: 5 }),
  values: 'a language such as en or pt-BR',
  holds: (value: unknown) => typeof value === 'string' && LANGUAGE.test(value),
}

/** The attributes of a trip, besides its days and travellers. `notification_preferences` disables kinds. */
export const tripAttributes = {
  title: required(string(200)),
  status: required(oneOf(...SET_STATUSES)),
  trip_type: oneOf(...TRIP_TYPES),
  start_date: date,
  end_date: date,
  destinations: { ...texts(DESTINATIONS, DESTINATION_LENGTH), default: [] as string[] },
  primary_currency: currency,
  assigned_advisor_id: uuid,
  summary: string(TEXT_LENGTH),
  internal_notes: string(TEXT_LENGTH),
  cover_image_url: imageUrl,
  settings: settings({ show_prices: flag, language }),
  notification_preferences: settings(Object.fromEntries(SCHEDULED_KINDS.map((kind) => [kind, flag]))),
} satisfies Record<string, Field>

/** The attributes of a day, besides its place in the trip, which determines its date. */
export const dayAttributes = {
  title: string(300),
  description: string(TEXT_LENGTH),
  primary_location: string(300),
  latitude: degrees(90),
  longitude: degrees(180),
  timezone: timeZone,
  cover_image_url: imageUrl,
} satisfies Record<string, Field>
