import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'

/** A message to be sent, with the current state of everything that it depends on. */
export type OutgoingMessage = RowFrom<typeof readOutgoing>

/** Messages of a thread that a mail refers to; RFC 5322 lets lists of references be cut. */
const REFERENCES = 20

/** A message that is on its way; nothing where that has ended. */
export const readOutgoing = statement(
  { account: pg.integer, id: pg.uuid },
  {
    channel: pg.textOf<'email' | 'sms' | 'whatsapp'>(),
    purpose: pg.textOf<'conversation' | 'service' | 'marketing'>(),
    customer: pg.nullable(pg.uuid),
    subject: pg.nullable(pg.text),
    plain: pg.nullable(pg.text),
    html: pg.nullable(pg.text),
    from: pg.nullable(pg.text),
    replyTo: pg.nullable(pg.text),
    to: pg.list(pg.text),
    cc: pg.list(pg.text),
    /** As given: one of our ids, or a Message-ID. */
    inReplyTo: pg.nullable(pg.text),
    /** Milliseconds since the epoch. */
    written: pg.float,
    agency: pg.text,
    /** The mail domains of the agency. */
    domains: pg.list(pg.text),
    /** The account's default reply address. */
    answers: pg.nullable(pg.text),
    messageId: pg.nullable(pg.text),
    /** The Message-ID of the message of ours that it names. */
    answered: pg.nullable(pg.text),
    /** Message-IDs of the messages before it in its thread, the oldest first. */
    before: pg.json<readonly string[]>(),
    files: pg.json<readonly { readonly id: string; readonly name: string; readonly type: string }[]>(),
    /** Why it must not be sent after all. */
    refused: pg.nullable(pg.textOf<'unsubscribed' | 'account_closed'>()),
  },
  `
  select c.channel, c.purpose, c.customer_id as customer, c.subject, c.body_plain as plain, c.body_html as html,
    c.from_address as "from", c.reply_to as "replyTo", c.to_addresses as "to", c.cc_addresses as cc, c.in_reply_to as "inReplyTo",
    floor(extract(epoch from c.created_at) * 1000)::float8 as written, a.name as agency, a.mail_domains as domains, a.answer_address as answers,
    (select m.message_id from message_ids m where m.account_id = c.account_id and m.communication_id = c.id and m.own limit 1) as "messageId",
    (select m.message_id from message_ids m where m.account_id = c.account_id and m.own
      and m.communication_id = case when c.in_reply_to ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then c.in_reply_to::uuid end limit 1) as answered,
    (select coalesce(json_agg(e.message_id order by e.created_at, e.id), '[]') from (
      select o.id, o.created_at, m.message_id from communications o
      join message_ids m on m.account_id = o.account_id and m.communication_id = o.id and m.own
      where o.account_id = c.account_id and o.thread_id = c.thread_id and (o.created_at, o.id) < (c.created_at, c.id)
      order by o.created_at desc, o.id desc limit ${REFERENCES}) e) as before,
    (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.filename, 'type', f.content_type) order by f.created_at, f.id), '[]')
      from communication_attachments t join files f on f.account_id = t.account_id and f.id = t.file_id
      where t.account_id = c.account_id and t.communication_id = c.id) as files,
    case when a.status <> 'active' then 'account_closed'
      when c.purpose = 'marketing' and not exists (
        select from customers k where k.account_id = c.account_id and k.id = c.customer_id
          and k.opted_in_marketing and k.deleted_at is null) then 'unsubscribed' end as refused
  from communications c join accounts a on a.account_id = c.account_id
  where c.account_id = $account and c.id = $id and c.direction = 'outbound' and c.status in ('queued', 'sending')`,
)
/** The sender of mails to the seats of an account. */
export const readSender = statement(
  { account: pg.integer },
  { agency: pg.text, closed: pg.boolean },
  `select name as agency, status <> 'active' as closed from accounts where account_id = $account`,
)
