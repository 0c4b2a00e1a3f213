import Type, { type TSchema } from 'typebox'
import { count } from '../../catalogue/count.ts'
import { TAG_LENGTH, TAGS_MAXIMUM } from '../../catalogue/tags.ts'
import { instantSql, seatSql, type View, type ViewField } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, Money, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personal, personalSql } from '../customers/reads/restricted.ts'
import { Destinations, TRIP_TYPES } from '../trips/reads/trip-types.ts'
import { TEXT_LENGTH } from './lead-attributes.ts'
import { restrictedLeadSql } from './reads/restricted-lead.ts'
import { LOST_REASONS, STAGES } from './stages.ts'

const MOVES = 10_000
const plain = (name: string, schema: TSchema): ViewField => ({ sql: `t.${name}`, schema })
const RESTRICTED = restrictedLeadSql('t')
/** The identity of the lead, and notes about it. */
const own = (name: string, schema: TSchema): ViewField => personal(RESTRICTED, `t.${name}`, maybe(schema))
const money = (name: string): ViewField => ({
  sql: `money_text(t.${name}, coalesce(t.currency, (select c.currency from companies c where c.account_id = t.account_id and c.id = t.company_id)))`,
  schema: maybe(Money),
  needs: ['view_money'],
})
const instant = (name: string, schema: TSchema): ViewField => ({ sql: instantSql(`t.${name}`), schema })
const Party = count.schema
const Long = Text(TEXT_LENGTH)

/** A lead `t` in a list. */
export const leadItem: View = {
  id: plain('id', Uuid),
  name: own('name', Text(200)),
  email: own('email', Text(254)),
  phone: own('phone', Text(40)),
  stage: plain('stage', enumOf(STAGES)),
  score: plain(
    'score',
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Priority of the lead from 0 to 100, calculated at each change. Completeness, up to 20: 4 each for e-mail, phone, destinations, departure, and value or budget. Value, up to 20: 4 for each power of ten from 100 to 1,000,000. Party size, up to 10: 2 per person. Departure, up to 15: 15 within 30 days, 12 within 90, 8 within 180, 4 within 365. Stage, up to 20: inbox 4, nurturing 8, qualified 12, proposal and won 20. First response, up to 15: 15 within an hour, 12 within 4 hours, 9 within a day, 5 within 3 days, then 2.',
    }),
  ),
  source: plain('source', maybe(Text(60))),
  estimated_value: money('estimated_value'),
  currency: plain('currency', maybe(Text(3))),
  destinations: plain('destinations', Destinations),
  party_size: plain('party_size', maybe(Party)),
  target_departure_on: plain('target_departure_on', maybe(Day)),
  target_return_on: plain('target_return_on', maybe(Day)),
  assigned_to: { sql: seatSql('t.assigned_to_id', 't.account_id'), schema: maybe(Seat) },
  customer_id: plain('customer_id', maybe(Uuid)),
  trip_id: plain('trip_id', maybe(Uuid)),
  updated_at: instant('updated_at', Instant),
}

const moveSql = (notes: string) =>
  `(select coalesce(json_agg(json_build_object('from', m.from_stage, 'to', m.to_stage, 'actor', ${seatSql('m.actor_id', 'm.account_id')},
    'reason', m.reason, 'notes', ${notes}, 'at', ${instantSql('m.created_at')}) order by m.id), '[]')
    from lead_moves m where m.account_id = t.account_id and m.lead_id = t.id)`
const Move = Type.Object({
  from: maybe(enumOf(STAGES)),
  to: enumOf(STAGES),
  actor: maybe(Seat),
  reason: maybe(enumOf(LOST_REASONS)),
  notes: maybe(Long),
  at: Instant,
})

/** The whole lead. */
export const leadDetail: View = {
  ...leadItem,
  message: own('message', Long),
  notes: own('notes', Long),
  adult_count: plain('adult_count', maybe(Party)),
  child_count: plain('child_count', maybe(Party)),
  flexible_dates: plain('flexible_dates', Type.Boolean()),
  occasion: plain('occasion', maybe(Text(100))),
  trip_type: plain('trip_type', maybe(enumOf(TRIP_TYPES))),
  budget_per_person: money('budget_per_person'),
  tags: plain('tags', Texts(TAGS_MAXIMUM, TAG_LENGTH)),
  lost_reason: plain('lost_reason', maybe(enumOf(LOST_REASONS))),
  lost_notes: own('lost_notes', Long),
  stage_changed_at: instant('stage_changed_at', Instant),
  first_responded_at: instant('first_responded_at', maybe(Instant)),
  converted_at: instant('converted_at', maybe(Instant)),
  company_id: plain('company_id', Uuid),
  created_at: instant('created_at', Instant),
  history: {
    sql: (policies) => moveSql(personalSql(RESTRICTED, 'm.notes', policies)),
    schema: Type.Array(Move, { maxItems: MOVES }),
  },
}
