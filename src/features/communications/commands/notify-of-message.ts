import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { notify } from '../../notifications/commands/notify.ts'
import type { Channel } from '../message-kinds.ts'

type Received = {
  readonly id: string
  readonly channel: Channel
  readonly trip: string | null
  readonly thread: string | null
}

const advisorStatement = statement(
  { account: pg.integer, trip: pg.nullable(pg.uuid), thread: pg.nullable(pg.uuid) },
  { seat: pg.nullable(pg.uuid) },
  `
  select coalesce(
    (select s.id from trips r join seats s on s.account_id = r.account_id and s.id = r.assigned_advisor_id
      where r.account_id = $account and r.id = $trip::uuid and s.active),
    (select s.id from communications o join seats s on s.account_id = o.account_id and s.id = o.author_id
      where o.account_id = $account and o.thread_id = $thread::uuid and o.direction = 'outbound' and s.active
      order by o.created_at desc, o.id desc limit 1),
    (select a.owner_id from accounts a where a.account_id = $account)) as seat`,
)

const BY: Readonly<Record<Channel, string>> = {
  email: 'E-mail',
  sms: 'SMS',
  whatsapp: 'WhatsApp message',
  phone: 'Call',
  meeting: 'Note of a meeting',
  web_chat: 'Chat message',
  other: 'Message',
}

/**
 * Notifies the advisor of the trip, or the last author in the thread, or the owner. The notification does not contain
 * who wrote what.
 */
export async function notifyOfMessage(tx: AccountTx, { id, channel, trip, thread }: Received): Promise<void> {
  const { seat = null } = (await tx.one(advisorStatement, { trip, thread })) ?? {}
  if (seat === null) return
  const what = BY[channel]
  notify(tx, {
    seat,
    kind: 'message_received',
    title: `${what} received`,
    body: null,
    priority: 'normal',
    subjectType: 'Communication',
    subjectId: id,
    subjectLabel: what,
  })
}
