import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { leasedRows } from '../../../platform/jobs/leased-rows.ts'
import type { SeatMail } from '../commands/queue-messages.ts'

/** The transport of a message. Each has its own queue. */
export type Transport = 'mail' | 'messaging'

/** Attempts at most. */
export const SEND_ATTEMPTS = 5
/** Number of accounts to choose from, and of rows checked per account to find one that is not locked. */
const ACCOUNTS = 10
const ROWS = 20

/** A message that is to be sent now. Its attempt is counted, and committed. */
export type Send = RowFrom<typeof leasedSends.claim>

/**
 * Claims a due message of any account, so that one account's backlog does not delay another's. The loose index scan
 * touches one entry per account with due messages. The same statement counts the attempt, marks the message as being
 * sent, and gives an e-mail its Message-ID, which is the same in every attempt.
 */
export const leasedSends = leasedRows({
  table: 'message_sends',
  key: ['id'],
  with: `recursive account as (
    (select account_id as id from message_sends order by account_id limit 1)
    union all
    select n.account_id from account a cross join lateral (
      select account_id from message_sends where account_id > a.id order by account_id limit 1) n
  ),
  chosen as (
    select id from account a where exists (
      select from message_sends where account_id = a.id and transport = $transport and next_attempt_at <= now()) and ${notMovedSql('a.id')}
    order by random() limit ${ACCOUNTS}
  ),
  candidate as (
    select a.id as account_id, s.id, row_number() over (partition by a.id order by s.next_attempt_at) as nth
    from chosen a cross join lateral (
      select id, next_attempt_at from message_sends
      where account_id = a.id and transport = $transport and next_attempt_at <= now()
      order by next_attempt_at limit ${ROWS}) s
  )`,
  from: 'candidate c join message_sends q on q.account_id = c.account_id and q.id = c.id',
  waiting: 'q.transport = $transport',
  order: 'c.nth, random()',
  countsAttempts: true,
  sets: 'attempted_at = now()',
  takes: { transport: pg.textOf<Transport>(), domain: pg.text },
  gives: {
    id: pg.uuid,
    /** The message; null for a mail to a seat. */
    communication: pg.nullable(pg.uuid),
    seatMail: pg.nullable(pg.json<SeatMail>()),
    /** The text of a mail to a seat, if it is sealed. */
    sealedText: pg.nullable(pg.bytes),
    /** Including the current one. */
    attempts: pg.integer,
    /** Whether the outcome of the previous attempt is unknown. */
    unknown: pg.boolean,
    /** Milliseconds since the epoch: when it was queued. */
    queued: pg.float,
  },
  columns: {
    id: 'q.id',
    communication: 'q.communication_id',
    seatMail: 'q.seat_mail',
    sealedText: 'q.sealed_text',
    attempts: 'q.attempts',
    unknown: 'old.leased_by is not null',
    queued: 'floor(extract(epoch from q.created_at) * 1000)::float8',
  },
  also: `begun as (
    update communications c set status = 'sending', updated_at = now()
    from claimed s where c.account_id = s.account and c.id = s.communication and c.status = 'queued'
  ),
  named as (
    insert into message_ids (account_id, message_id, communication_id, own)
    select s.account, '<' || s.communication || '@' || $domain || '>', s.communication, true
    from claimed s where $transport = 'mail' and s.communication is not null and not exists (
      select from message_ids m where m.account_id = s.account and m.communication_id = s.communication and m.own)
    on conflict do nothing
  )`,
})

/** Renews the lease of a message while it is being sent; no row if another worker has it. */
export const renewLease = statement(
  { account: pg.integer, id: pg.uuid, lease: pg.uuid, ms: pg.float },
  { id: pg.uuid },
  `
  update message_sends set next_attempt_at = now() + $ms * interval '1 millisecond'
  where account_id = $account and id = $id and leased_by = $lease returning id`,
)

/** Releases a send until its next attempt. The lease stays if the outcome of this attempt must be looked up first. */
export const postponeSend = statement(
  { account: pg.integer, id: pg.uuid, lease: pg.uuid, ms: pg.float, unknown: pg.boolean },
  {},
  `
  update message_sends set next_attempt_at = now() + $ms * interval '1 millisecond',
    leased_by = case when $unknown::boolean then leased_by end
  where account_id = $account and id = $id and leased_by = $lease`,
)

/** Those of these ids of the provider that other messages have, of any account, since all have the same sender. */
export const idsOfOthers = statement(
  { communication: pg.uuid, ids: pg.list(pg.text) },
  { id: pg.text },
  `
  select given.id from unnest($ids::text[]) as given(id) cross join accounts a
    join communications c on c.account_id = a.account_id and c.external_id = given.id
  where c.id <> $communication`,
)

/** Finishes a message; no row if another worker has it, whose result counts. */
export const finishSend = statement(
  { account: pg.integer, id: pg.uuid, lease: pg.uuid },
  { id: pg.uuid },
  'delete from message_sends where account_id = $account and id = $id and leased_by = $lease returning id',
)

export const findSendByExternalId = statement(
  { account: pg.integer, id: pg.text },
  { id: pg.uuid },
  `
  select id from communications where account_id = $account and external_id = $id and direction = 'outbound' limit 1`,
)
