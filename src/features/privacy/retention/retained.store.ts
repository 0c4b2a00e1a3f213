import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

/** Rows that one transaction removes. */
export const REMOVED_AT_ONCE = 1_000

const BEFORE = { account: pg.integer, before: pg.instant }
/** How many rows were removed, and the files that nothing holds any longer. */
const REMOVED = { removed: pg.integer, files: pg.list(pg.uuid) }
const NO_FILES = `'{}'::uuid[] as files`

/** Messages that wait to be sent stay. */
export const removeOldMessages = statement(
  BEFORE,
  REMOVED,
  `
  with old as materialized (
    select m.id from communications m
    where m.account_id = $account and m.created_at < $before::timestamptz
      and not exists (select from message_sends s where s.account_id = m.account_id and s.communication_id = m.id)
    order by m.created_at, m.id limit ${REMOVED_AT_ONCE} for update
  ), attachment as (
    delete from communication_attachments a using old where a.account_id = $account and a.communication_id = old.id
    returning a.file_id
  ), gone as (
    delete from communications m using old where m.account_id = $account and m.id = old.id returning m.id
  )
  select (select count(*)::integer from gone) as removed, array(select file_id from attachment) as files`,
)

/** The bytes and what was read of them; the rest of the row, its outcome, stays. */
export const emptyOldCaptures = statement(
  BEFORE,
  REMOVED,
  `
  with old as materialized (
    select c.id from ticket_captures c
    where c.account_id = $account and c.created_at < $before::timestamptz and (c.content is not null or c.document is not null)
    order by c.created_at, c.id limit ${REMOVED_AT_ONCE} for update
  ), gone as (
    update ticket_captures c set content = null, document = null from old where c.account_id = $account and c.id = old.id
    returning c.id
  )
  select count(*)::integer as removed, ${NO_FILES} from gone`,
)

/** Ids are in the order of time: the oldest rows are the only ones that are looked at. */
export const removeOldRequests = statement(
  BEFORE,
  REMOVED,
  `
  with oldest as materialized (
    select r.id, r.at from request_log r where r.account_id = $account order by r.id limit ${REMOVED_AT_ONCE}
  ), gone as (
    delete from request_log r using oldest o
    where r.account_id = $account and r.id = o.id and o.at < $before::timestamptz returning r.id
  )
  select count(*)::integer as removed, ${NO_FILES} from gone`,
)

/**
 * Leads without a customer or a trip that have not changed since, lost or open. They are deleted like any other, so that
 * clients of the feed hear of it, and lose what they say of a person.
 */
export const removeOldLeads = statement(
  BEFORE,
  REMOVED,
  `
  with old as materialized (
    select l.id from leads l
    where l.account_id = $account and l.deleted_at is null and l.stage <> 'won' and l.converted_at is null
      and l.customer_id is null and l.trip_id is null
      and l.created_at < $before::timestamptz and l.updated_at < $before::timestamptz
    order by l.created_at, l.id limit ${REMOVED_AT_ONCE} for update
  ), moves as (
    update lead_moves m set notes = null from old
    where m.account_id = $account and m.lead_id = old.id and m.notes is not null
  ), gone as (
    update leads l set deleted_at = now(), name = '', email = null, phone = null, notes = null, message = null,
      lost_notes = null, occasion = null, tags = '{}'
    from old where l.account_id = $account::integer and l.id = old.id returning l.id
  )
  select count(*)::integer as removed, ${NO_FILES} from gone`,
)
