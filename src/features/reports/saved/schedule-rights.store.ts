import { BUILT_IN_ROLES } from '../../../platform/access/policies.ts'
import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'

/** Whether the seat and the key that a schedule belongs to may still have it sent. */
export type ScheduleRights = RowFrom<typeof lockScheduleRights>

const ROLES = Object.entries(BUILT_IN_ROLES)
  .map(([name, policies]) => `('${name}', '{${[...policies].join()}}'::text[])`)
  .join(', ')
/** The policies of a role, as `policiesOf` knows them. */
const policiesSql = (role: string) => `coalesce(
  (select b.policies from (values ${ROLES}) b(name, policies) where b.name = ${role}),
  (select r.policies from roles r where r.account_id = t.account_id and r.name = ${role}), '{}')`

/** SQL of the addresses in a list that are not active seats of an account. */
const outsideSql = (addresses: string, account: string) =>
  `select address from unnest(${addresses}) as given(address) where not exists (
    select from seats o where o.account_id = ${account} and o.active and o.email_key = lower(address))`

const KEY_STATE = `case when t.saved_as is not null and k.id is null then 'unknown'
  when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' end`
/** The current policies that the seat, or the role of the report's key, lacks. A key keeps its role. */
const LACKING = `array(select need from unnest(t.needs || case when exists (${outsideSql('t.recipients', 't.account_id')}) then '{manage_settings}'::text[] else '{}' end) need
  where not need = any(${policiesSql(`case when s.id = a.owner_id then 'owner' else s.role end`)})
    or (t.saved_as is not null and not need = any(${policiesSql('t.saved_as')})))`
const FROM = `saved_reports t join accounts a on a.account_id = t.account_id
  join seats s on s.account_id = t.account_id and s.id = t.saved_by_id
  left join api_keys k on k.account_id = t.account_id and k.id = t.saved_by_key_id`
/** The rights of a schedule that is not paused. Locks the report, so that no concurrent save changes them. */
export const lockScheduleRights = statement(
  { account: pg.integer, id: pg.uuid },
  {
    name: pg.text,
    seat: pg.uuid,
    owner: pg.nullable(pg.uuid),
    active: pg.boolean,
    key_name: pg.nullable(pg.text),
    /** Why the key is not good any more; null if it is, or if the report was saved from the command line. */
    key_state: pg.nullable(pg.textOf<'unknown' | 'revoked' | 'expired'>()),
    /** The policies that the report or its recipients need, and that the seat or the role of the key lacks. */
    lacking: pg.list(pg.text),
  },
  `
  select t.name, s.id as seat, a.owner_id as owner, s.active, k.name as key_name, ${KEY_STATE} as key_state, ${LACKING} as lacking
  from ${FROM} where t.account_id = $account and t.id = $id and t.due_at is not null for no key update of t`,
)

/** The schedules of all accounts that must pause. */
export const findNotAllowed = statement(
  {},
  { account: pg.integer, ids: pg.list(pg.uuid) },
  `
  select t.account_id as account, array_agg(t.id order by t.id) as ids from ${FROM}
  where t.due_at is not null and ${notMovedSql('t.account_id')}
    and (not s.active or ${KEY_STATE} is not null or cardinality(${LACKING}) > 0)
  group by t.account_id`,
)

/** Pauses a schedule. A due run is recorded as not sent. */
export const pauseStored = statement(
  { account: pg.integer, id: pg.uuid, reason: pg.text },
  {},
  `
  with paused as (
    update saved_reports set schedule_paused = true, paused_at = now(), paused_reason = $reason,
      due_at = null, next_attempt_at = null, leased_by = null, attempts = 0
    where account_id = $account::integer and id = $id and due_at is not null returning id, old.due_at
  )
  insert into saved_report_runs (account_id, saved_report_id, due_at, status, reason)
  select $account::integer, id, due_at, 'skipped', $reason from paused where due_at <= now()`,
)

/** The addresses that are not active seats. */
export const addressesOutside = statement(
  { account: pg.integer, addresses: pg.list(pg.text) },
  { address: pg.text },
  outsideSql('$addresses::text[]', '$account::integer'),
)
