import Type, { type TSchema } from 'typebox'
import type { Policies, Policy } from '../../platform/access/policies.ts'
import { type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { SEGMENT_STATUSES, SEGMENT_TYPES } from './reads/segment-kinds.ts'

const Minutes = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const LocalTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', maxLength: 16 })
const clock = (column: string) => `to_char(s.${column}, 'YYYY-MM-DD"T"HH24:MI')`
/** What only flights have. */
const ofFlight = (sql: string, schema: TSchema) => ({
  sql: `case when s.segment_type = 'flight' then ${sql} end`,
  schema: maybe(schema),
})

/** A segment `s`, without what it costs. */
export const segment: View = {
  id: { sql: 's.id', schema: Uuid },
  trip_id: { sql: 's.trip_id', schema: Uuid },
  trip_day_id: { sql: 's.trip_day_id', schema: Uuid },
  segment_type: { sql: 's.segment_type', schema: enumOf(SEGMENT_TYPES) },
  status: { sql: 's.status', schema: enumOf(SEGMENT_STATUSES) },
  title: { sql: 's.title', schema: maybe(Text(300)) },
  description: { sql: 's.description', schema: maybe(Text(10_000)) },
  position: { sql: 's.position', schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }) },
  start_time: { sql: clock('start_time'), schema: maybe(LocalTime) },
  end_time: { sql: clock('end_time'), schema: maybe(LocalTime) },
  duration_minutes: { sql: 's.duration_minutes', schema: maybe(Minutes) },
  location_name: { sql: 's.location_name', schema: maybe(Text(300)) },
  location_address: { sql: 's.location_address', schema: maybe(Text(1000)) },
  is_optional: { sql: 's.is_optional', schema: Type.Boolean() },
  is_highlighted: { sql: 's.is_highlighted', schema: Type.Boolean() },
  is_client_visible: { sql: 's.is_client_visible', schema: Type.Boolean() },
  cover_image_url: { sql: 's.cover_image_url', schema: maybe(Text(2000)) },
  flight_number: ofFlight('s.flight_number', Text(20)),
  airline_code: ofFlight('s.airline_code', Text(10)),
  departure_airport: ofFlight('s.departure_airport', Text(10)),
  arrival_airport: ofFlight('s.arrival_airport', Text(10)),
  scheduled_departure: ofFlight(clock('start_time'), LocalTime),
  scheduled_arrival: ofFlight(clock('end_time'), LocalTime),
  price_amount: { sql: 'money_text(s.price_amount, s.currency)', schema: maybe(Money), needs: ['view_money'] },
  currency: { sql: 's.currency', schema: maybe(Text(3)) },
}
/** The costs and the supplier. A margin requires both sides in one currency. */
export const costs: View = {
  cost_amount: { sql: 'money_text(s.cost_amount, s.cost_currency)', schema: maybe(Money) },
  cost_currency: { sql: 's.cost_currency', schema: maybe(Text(3)) },
  commission_amount: {
    sql: 'money_text(s.commission_amount, coalesce(s.cost_currency, s.currency))',
    schema: maybe(Money),
  },
  commission_rate: { sql: 'trim_scale(s.commission_rate)::text', schema: maybe(Money) },
  margin_amount: {
    sql: 'case when s.currency = s.cost_currency then money_text(s.price_amount - s.cost_amount, s.currency) end',
    schema: maybe(Money),
  },
  supplier: {
    sql: `(select json_build_object('id', u.id, 'name', u.name) from suppliers u where u.account_id = s.account_id and u.id = s.supplier_id)`,
    schema: maybe(Type.Object({ id: Uuid, name: Text(200) })),
  },
  confirmation_number: { sql: 's.confirmation_number', schema: maybe(Text(100)) },
}
export const COSTS_NEED: readonly Policy[] = ['view_money', 'view_costs']

/** SQL of a segment as JSON. For roles without costs their keys are absent: only here, and by contract. */
export const segmentSql = (policies: Policies): string =>
  viewSql(COSTS_NEED.every((policy) => policies.has(policy)) ? { ...segment, ...costs } : segment, policies)

const shapesOf = (view: View) => Object.fromEntries(Object.entries(view).map(([name, { schema }]) => [name, schema]))
export const Segment = Type.Object(
  { ...shapesOf(segment), ...Type.Partial(Type.Object(shapesOf(costs))).properties },
  { title: 'Segment', additionalProperties: false },
)
