import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { notify } from '../../notifications/commands/notify.ts'
import type { FailureReason } from '../message-kinds.ts'

/** How far a message that was sent is known to be. */
export type SendStatus = 'sending' | 'sent' | 'delivered' | 'read' | 'failed'
/** What became known of a message. */
export type SendStatusUpdate = {
  readonly status: SendStatus
  /** The reason of a failure. */
  readonly reason?: FailureReason
  /** The provider’s name for it. The first stays. */
  readonly externalId?: string | null
  /** Merged into the existing metadata. */
  readonly metadata?: object | null
  /** When it happened; defaults to now. */
  readonly at?: string | null
}

/** The statuses that each may follow. Failed and the last delivered status are final: no status leads back. */
const FOLLOWS: Readonly<Record<SendStatus, readonly string[]>> = {
  sending: ['queued'],
  sent: ['queued', 'sending'],
  delivered: ['queued', 'sending', 'sent'],
  read: ['queued', 'sending', 'sent', 'delivered'],
  failed: ['queued', 'sending', 'sent'],
}
const ADVICE: Readonly<Record<FailureReason, string>> = {
  invalid_recipient:
    'The address does not exist or does not accept such messages. Correct it and send the message again.',
  unsubscribed: 'The customer unsubscribed from such messages.',
  no_active_session:
    'WhatsApp does not accept free-form messages more than 24 hours after the customer’s last message. Wait for a message from the customer, or use another channel.',
  provider_rejected: 'The server rejected the message. Its reply is stored with the message.',
  timeout: 'The server could not be reached for several hours. Send the message again.',
  bounced: 'The message bounced. The report is stored with the message.',
  not_configured: 'This cell is not configured for this channel. Contact the operator of the cell.',
}

const updateStatus = statement(
  {
    account: pg.integer,
    status: pg.textOf<SendStatus>(),
    reason: pg.textOf<
      | 'invalid_recipient'
      | 'unsubscribed'
      | 'no_active_session'
      | 'provider_rejected'
      | 'timeout'
      | 'bounced'
      | 'not_configured'
    >(),
    externalId: pg.nullable(pg.text),
    at: pg.nullable(pg.instant),
    id: pg.uuid,
    follows: pg.list(pg.text),
    metadata: pg.nullable(pg.jsonText),
  },
  { moved: pg.boolean, channel: pg.text, seat: pg.nullable(pg.uuid) },
  `
  update communications c set
    status = case when m.moves then $status::text else c.status end,
    sent_at = case when m.moves and $status::text in ('sent', 'delivered', 'read') then coalesce(c.sent_at, m.at) else c.sent_at end,
    delivered_at = case when m.moves and $status::text in ('delivered', 'read') then coalesce(c.delivered_at, m.at) else c.delivered_at end,
    read_at = case when m.moves and $status::text = 'read' then m.at else c.read_at end,
    failed_at = case when m.moves and $status::text = 'failed' then m.at else c.failed_at end,
    failure_reason = case when m.moves then $reason::text else c.failure_reason end,
    external_id = case when m.awaited then coalesce($externalId::text, c.external_id) else coalesce(c.external_id, $externalId::text) end,
    metadata = case when $metadata::jsonb is null then c.metadata else coalesce(c.metadata, '{}') || $metadata::jsonb end,
    updated_at = now()
  from (
    select status = any($follows::text[]) as moves, status in ('queued', 'sending') as awaited, coalesce($at::timestamptz, now()) as at
    from communications where account_id = $account::integer and id = $id for update
  ) m
  where c.account_id = $account::integer and c.id = $id and c.direction = 'outbound'
    and (m.moves or c.external_id is null and $externalId::text is not null)
  returning m.moves as moved, c.channel,
    coalesce(
      (select s.id from seats s where s.account_id = c.account_id and s.id = c.author_id and s.active),
      (select s.id from trips t join seats s on s.account_id = t.account_id and s.id = t.assigned_advisor_id
        where t.account_id = c.account_id and t.id = c.trip_id and s.active),
      (select a.owner_id from accounts a where a.account_id = c.account_id)) as seat`,
)

/**
 * Records the delivery status of a message, from the sender, a callback or a bounce. A status only moves forwards,
 * regardless of the order of updates, and a failure is reported once. Returns whether the status changed.
 */
export async function recordSendStatus(
  tx: AccountTx,
  communication: string,
  update: SendStatusUpdate,
): Promise<boolean> {
  const { status, reason = null, externalId = null, metadata = null, at = null } = update
  const failed = status === 'failed' ? (reason ?? 'provider_rejected') : null
  const updated = await tx.one(updateStatus, {
    id: communication,
    status,
    follows: FOLLOWS[status],
    reason: failed as FailureReason,
    externalId,
    metadata: metadata && JSON.stringify(metadata),
    at,
  })
  if (!updated?.moved) return false
  if (failed && updated.seat !== null) {
    notify(tx, {
      seat: updated.seat,
      kind: 'message_failed',
      title: 'A message was not delivered',
      body: ADVICE[failed],
      priority: 'high',
      subjectType: 'Communication',
      subjectId: communication,
      subjectLabel: updated.channel,
    })
  }
  return true
}
