import Type from 'typebox'
import { FEATURES } from '../../platform/access/plans.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { instantSql, seatSql, type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { BILLING_STATUSES } from './accounts.store.ts'
import { logoSql } from './logo.ts'
import { Seat } from './reads/seats.ts'

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const countSql = (of: string) => `(select count(*)::integer from ${of} where account_id = a.account_id`
const TODAY = `(now() at time zone a.time_zone)::date`
/** A logo that the operator of the server has set was not uploaded: its address holds the picture itself. */
const LOGO = `coalesce(${logoSql('a.account_id', 'a.logo_file_id')}, case when a.logo is not null then json_build_object('id', null,
  'filename', null, 'content_type', substring(a.logo from 6 for position(';' in a.logo) - 6), 'url', a.logo) end)`

/** An account `a` as its agency looks at it. The plan is completed outside the database. */
export const agencyView: View = {
  id: { sql: 'a.uuid', schema: Uuid },
  number: { sql: 'a.account_id', schema: Type.Integer({ minimum: 10_000_000, maximum: 39_999_999 }) },
  name: { sql: 'a.name', schema: Text(1000) },
  legal_name: { sql: 'a.legal_name', schema: maybe(Text(200)) },
  logo: {
    sql: LOGO,
    schema: maybe(
      Type.Object({
        id: maybe(Uuid),
        filename: maybe(Text(255)),
        content_type: Text(200),
        url: Type.String({
          maxLength: 100_000,
          description: 'Where to load the picture, valid for one hour; a data URL for one that was not uploaded.',
        }),
      }),
    ),
  },
  accent_color: { sql: 'a.accent_color', schema: maybe(Text(7)) },
  contact_email: { sql: 'a.contact_email', schema: maybe(Text(254)) },
  contact_phone: { sql: 'a.contact_phone', schema: maybe(Text(40)) },
  website: { sql: 'a.website', schema: maybe(Text(300)) },
  emergency_phone: { sql: 'a.emergency_phone', schema: maybe(Text(40)) },
  answer_address: {
    sql: 'a.answer_address',
    schema: maybe(
      Type.String({ maxLength: 254, description: 'Where replies to messages without a reply address go.' }),
    ),
  },
  mail_domains: {
    sql: 'a.mail_domains',
    schema: Type.Array(Text(253), { maxItems: 50, description: 'Set by the operator of the cell.' }),
  },
  locale: { sql: 'a.locale', schema: Text(10) },
  time_zone: { sql: 'a.time_zone', schema: Text(100) },
  key_life_days: {
    sql: 'a.key_life_days',
    schema: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
      description: 'How long new API keys are good where no expiry is given; null for ever.',
    }),
  },
  sign_in_rules: {
    sql: `json_build_object('second_factor_required', a.second_factor_required)`,
    schema: Type.Object({
      second_factor_required: Type.Boolean({ description: 'Whether everybody needs a second factor.' }),
    }),
  },
  owner: { sql: seatSql('a.owner_id', 'a.account_id'), schema: maybe(Seat) },
  plan: {
    sql: `json_build_object('slug', a.plan, 'status', a.billing_status, 'trial_ends_at', ${instantSql('a.trial_ends_at')},
      'cancel_at_period_end', a.cancel_at_period_end)`,
    schema: Type.Object({
      slug: Text(100),
      name: Text(100),
      status: enumOf(BILLING_STATUSES),
      trial_ends_at: maybe(Instant),
      cancel_at_period_end: Type.Boolean(),
      requests_per_minute: Count,
      features: Texts(FEATURES.length, 40),
    }),
  },
  usage: {
    sql: `json_build_object('active_people', ${countSql('seats')} and active),
      'active_api_keys', ${countSql('api_keys')} and revoked_at is null and (expires_at is null or expires_at > now())),
      'messages_today', coalesce((select d.messages from message_days d where d.account_id = a.account_id and d.day = ${TODAY}), 0),
      'messages_a_day', a.daily_messages)`,
    schema: Type.Object({ active_people: Count, active_api_keys: Count, messages_today: Count, messages_a_day: Count }),
  },
  version: { sql: 'a.version', schema: Type.Integer({ minimum: 1 }) },
}
export const readAgency = byPolicies(
  { account: pg.integer },
  { item: pg.printedJson },
  (policies) => `select ${viewSql(agencyView, policies)}::text as item from accounts a where a.account_id = $account`,
)
