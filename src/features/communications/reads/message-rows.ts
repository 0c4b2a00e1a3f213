import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'
import { instantSql } from '../../../platform/db/view.ts'

/** A message as an operator looks at it: how it fares, and nothing of what it says or to whom. */
export type MessageRow = {
  readonly id: string
  readonly channel: string
  readonly direction: string
  readonly purpose: string
  readonly status: string
  readonly failure_reason: string | null
  /** Of what is on its way. */
  readonly attempts: number | null
  readonly next_attempt_at: string | null
  readonly created_at: string
}
type Asked = { account: number; status: string | null; id: string | null; limit: number }

/** What an operator looks for where nothing else is said. */
const UNDECIDED = quoted(['queued', 'sending', 'failed'])

/** Newest first; the one of an id, those of a status, or those that have not arrived. */
export const messageRows = statement<Asked, MessageRow>(`
  select m.id, m.channel, m.direction, m.purpose, m.status, m.failure_reason, s.attempts,
    ${instantSql('s.next_attempt_at')} as next_attempt_at, ${instantSql('m.created_at')} as created_at
  from communications m left join message_sends s on s.account_id = m.account_id and s.communication_id = m.id
  where m.account_id = $account and case when $id::uuid is not null then m.id = $id
    when $status::text is not null then m.status = $status else m.status in (${UNDECIDED}) end
  order by m.created_at desc, m.id desc limit $limit`)

/** What more there is of one. */
export type WholeMessage = {
  readonly company_id: string
  readonly customer_id: string | null
  readonly trip_id: string | null
  readonly thread_id: string
  readonly external_id: string | null
  readonly recipients: number
  readonly sent_at: string | null
  readonly delivered_at: string | null
  readonly read_at: string | null
  readonly failed_at: string | null
}
export const wholeMessage = statement<{ account: number; id: string }, WholeMessage>(`
  select company_id, customer_id, trip_id, thread_id, external_id, cardinality(to_addresses) + cardinality(cc_addresses) as recipients,
    ${['sent_at', 'delivered_at', 'read_at', 'failed_at'].map((at) => `${instantSql(at)} as ${at}`).join(', ')}
  from communications where account_id = $account and id = $id`)
