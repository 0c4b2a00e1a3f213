import * as pg from '../../../platform/db/pg-types.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { instantSql } from '../../../platform/db/view.ts'

/** A message for an operator: its progress, without content and recipients. */
export type MessageRow = RowFrom<typeof messageRows>

/** Default search of an operator. */
const UNDECIDED = quoted(['queued', 'sending', 'failed'])

/** Newest first; the one with an id, those with a status, or those that have not been delivered. */
export const messageRows = statement(
  { account: pg.integer, status: pg.nullable(pg.text), id: pg.nullable(pg.uuid), limit: pg.integer },
  {
    id: pg.uuid,
    channel: pg.text,
    direction: pg.text,
    purpose: pg.text,
    status: pg.text,
    failure_reason: pg.nullable(pg.text),
    /** For messages in progress. */
    attempts: pg.nullable(pg.integer),
    next_attempt_at: pg.nullable(pg.text),
    created_at: pg.text,
  },
  `
  select m.id, m.channel, m.direction, m.purpose, m.status, m.failure_reason, s.attempts,
    ${instantSql('s.next_attempt_at')} as next_attempt_at, ${instantSql('m.created_at')} as created_at
  from communications m left join message_sends s on s.account_id = m.account_id and s.communication_id = m.id
  where m.account_id = $account and case when $id::uuid is not null then m.id = $id
    when $status::text is not null then m.status = $status else m.status in (${UNDECIDED}) end
  order by m.created_at desc, m.id desc limit $limit`,
)
export const wholeMessage = statement(
  { account: pg.integer, id: pg.uuid },
  {
    company_id: pg.uuid,
    customer_id: pg.nullable(pg.uuid),
    trip_id: pg.nullable(pg.uuid),
    thread_id: pg.uuid,
    external_id: pg.nullable(pg.text),
    recipients: pg.integer,
    sent_at: pg.nullable(pg.text),
    delivered_at: pg.nullable(pg.text),
    read_at: pg.nullable(pg.text),
    failed_at: pg.nullable(pg.text),
  },
  `
  select company_id, customer_id, trip_id, thread_id, external_id, cardinality(to_addresses) + cardinality(cc_addresses) as recipients,
    ${['sent_at', 'delivered_at', 'read_at', 'failed_at'].map((at) => `${instantSql(at)} as ${at}`).join(', ')}
  from communications where account_id = $account and id = $id`,
)
