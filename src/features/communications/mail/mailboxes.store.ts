import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

/** The position in a mailbox; reset when its server renumbers the mails. */
export const findProgress = statement(
  { account: pg.integer, name: pg.text, validity: pg.integer },
  { last: pg.float },
  `
  insert into mailboxes as m (account_id, name, uid_validity, last_uid) values ($account, $name, $validity, 0)
  on conflict (account_id, name) do update set
    last_uid = case when m.uid_validity = excluded.uid_validity then m.last_uid else 0 end,
    uid_validity = excluded.uid_validity, fetched_at = now()
  returning last_uid::float8 as last`,
)

/** Advances to a mail, unless another run has passed it. It locks the mailbox, so that each mail is filed once. */
export const advanceTo = statement(
  { account: pg.integer, name: pg.text, validity: pg.integer, uid: pg.integer },
  { last: pg.float },
  `
  update mailboxes set last_uid = $uid, fetched_at = now()
  where account_id = $account::integer and name = $name and uid_validity = $validity and last_uid < $uid
  returning last_uid::float8 as last`,
)

export const findMessage = statement(
  { account: pg.integer, messageId: pg.text },
  { direction: pg.text },
  `
  select c.direction from message_ids m join communications c on c.account_id = m.account_id and c.id = m.communication_id
  where m.account_id = $account and m.message_id = $messageId and m.own limit 1`,
)

/** The e-mail that was sent under one of these Message-IDs, the first before the others. */
export const findSent = statement(
  { account: pg.integer, ids: pg.list(pg.text) },
  { id: pg.uuid },
  `
  select c.id from message_ids m join communications c on c.account_id = m.account_id and c.id = m.communication_id
  where m.account_id = $account and m.message_id = any($ids::text[]) and m.own and c.direction = 'outbound' and c.channel = 'email'
  order by array_position($ids::text[], m.message_id) limit 1`,
)

/** The e-mails sent to an address in the last days. Two matches count as none. */
export const findSentTo = statement(
  { account: pg.integer, address: pg.text },
  { id: pg.uuid },
  `
  select c.id from communications c
  where c.account_id = $account and c.created_at > now() - interval '5 days' and c.direction = 'outbound'
    and c.channel = 'email' and c.status in ('sending', 'sent')
    and exists (select from unnest(c.to_addresses) "to" where lower(coalesce(substring("to" from '<([^<>]*)>$'), "to")) = lower($address))
  order by c.created_at limit 2`,
)
