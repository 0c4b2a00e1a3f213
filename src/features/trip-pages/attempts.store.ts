import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** The cost of wrong passwords: a number of free attempts, then waits, each twice as long as the previous one. */
type Waits = { readonly free: number; readonly firstSeconds: number; readonly longestSeconds: number }
const USUAL: Waits = { free: 4, firstSeconds: 5, longestSeconds: 900 }
/**
 * Limit for a link under attack. Every visitor still has a first attempt without a wait, so that others cannot lock
 * them out.
 */
const CROWDED: Waits = { free: 0, firstSeconds: 60, longestSeconds: 3600 }
/** Wrong passwords in a day, of all visitors of a link, from which on it is crowded. */
const CROWD = 50
const COUNTED_FOR = `interval '1 day'`
/** The row that counts those of all visitors. */
const EVERYBODY = `''::bytea`

/** SQL of the end of a visitor's wait after a number of wrong passwords; null for no wait. */
const untilSql = (nth: string, { free, firstSeconds, longestSeconds }: Waits): string => {
  const doublings = Math.ceil(Math.log2(longestSeconds / firstSeconds))
  return `case when ${nth} > ${free} then now() + interval '1 second' * least(${longestSeconds}, ${firstSeconds} * 2 ^ least(${nth} - ${free + 1}, ${doublings})) end`
}
const IS_OVER = `t.since < now() - ${COUNTED_FOR}`
const NTH = `case when ${IS_OVER} then 1 else t.failed + 1 end`
const SINCE = `case when ${IS_OVER} then now() else t.since end`
const IS_CROWDED = '(select crowded from crowd)'

/**
 * Counts an attempt as a wrong one before the password is looked at, so that guesses made at once do not slip past the
 * wait. A day after the first one, counting starts anew, whatever was tried in between.
 */
export const takeAttempt = statement(
  { account: pg.integer, id: pg.uuid, visitor: pg.bytes },
  { taken: pg.boolean, wait: pg.integer },
  `
  with crowd as (
    select coalesce((select failed >= ${CROWD} from share_link_attempts where account_id = $account::integer and share_link_id = $id::uuid
      and visitor = ${EVERYBODY} and since >= now() - ${COUNTED_FOR}), false) as crowded
  ), taken as (
    insert into share_link_attempts as t (account_id, share_link_id, visitor, failed, since, blocked_until)
    select $account, $id, $visitor::bytea, 1, now(), case when crowded then ${untilSql('1', CROWDED)} else ${untilSql('1', USUAL)} end from crowd
    on conflict (account_id, share_link_id, visitor) do update set failed = ${NTH}, since = ${SINCE},
      blocked_until = case when ${IS_CROWDED} then ${untilSql(`(${NTH})`, CROWDED)} else ${untilSql(`(${NTH})`, USUAL)} end
      where t.blocked_until is null or t.blocked_until <= now()
    returning failed
  ), counted as (
    insert into share_link_attempts as t (account_id, share_link_id, visitor, failed, since)
    select $account, $id, ${EVERYBODY}, 1, now() from taken
    on conflict (account_id, share_link_id, visitor) do update set failed = ${NTH}, since = ${SINCE}
  )
  select exists (select from taken) as taken, coalesce((
    select greatest(1, ceil(extract(epoch from blocked_until - now())))::integer from share_link_attempts
    where account_id = $account and share_link_id = $id and visitor = $visitor), 1) as wait`,
)

/** After the right password: the visitor's attempts count for nothing any more. */
export const forgiveAttempts = statement(
  { account: pg.integer, id: pg.uuid, visitor: pg.bytes },
  {},
  `
  with forgiven as (
    delete from share_link_attempts where account_id = $account::integer and share_link_id = $id::uuid and visitor = $visitor::bytea
    returning failed
  )
  update share_link_attempts t set failed = greatest(0, t.failed - f.failed) from forgiven f
  where t.account_id = $account and t.share_link_id = $id and t.visitor = ${EVERYBODY}`,
)

export const purgeAttempts = statement(
  {},
  {},
  `delete from share_link_attempts where since < now() - ${COUNTED_FOR} and (blocked_until is null or blocked_until < now())`,
)
