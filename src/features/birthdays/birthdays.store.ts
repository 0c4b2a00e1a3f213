import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'

/** Customers of an account who have a birthday on a day, and are not greeted yet. */
export type Birthdays = RowFrom<typeof nextBirthdays>

/** Customers of one account that are greeted by one transaction. */
const TOGETHER = 100
/** SQL over a customer `c`: whether it opted in to greetings and can be reached. */
const WELCOMES = `c.customer_type = 'individual' and c.opted_in_marketing and c.active and c.email is not null and c.deleted_at is null`

export const zonesInUse = statement(
  {},
  { zone: pg.text },
  `select distinct time_zone as zone from accounts where status = 'active'`,
)
/** Some customers of each account that has not failed. `days` has the dates of birth by time zone. */
export const nextBirthdays = statement(
  { days: pg.jsonText, failed: pg.list(pg.integer) },
  { account: pg.integer, day: pg.text, customers: pg.list(pg.uuid) },
  `
  select a.account_id as account, d.day::text as day, array_agg(born.id) as customers
  from json_to_recordset($days::json) as d(zone text, day date, born date[])
    join accounts a on a.time_zone = d.zone and a.status = 'active' and ${notMovedSql('a.account_id')} and a.account_id <> all($failed::integer[])
    cross join lateral (
      select c.id from customers c
      where c.account_id = a.account_id and c.birthday = any(d.born) and ${WELCOMES}
        and not exists (select from birthday_greetings g
          where g.account_id = c.account_id and g.customer_id = c.id and g.celebrated_on = d.day)
      limit ${TOGETHER}) born
  group by a.account_id, d.day order by a.account_id`,
)
/** If two processes claim the same greeting, one gets it. */
export const claimGreetings = statement(
  { account: pg.integer, day: pg.date, customers: pg.list(pg.uuid) },
  { id: pg.uuid, customer: pg.uuid },
  `
  insert into birthday_greetings (account_id, customer_id, celebrated_on, status, sent_at)
  select c.account_id, c.id, $day::date, 'sent', now() from customers c
  where c.account_id = $account::integer and c.id = any($customers::uuid[]) and ${WELCOMES} order by c.id
  on conflict do nothing returning id, customer_id as customer`,
)
/** The outcome of greetings: the message, or why none was sent. */
export const noteGreetings = statement(
  { account: pg.integer, said: pg.jsonText },
  {},
  `
  update birthday_greetings g set communication_id = s.communication, skipped_reason = s.skipped,
    status = case when s.skipped is null then 'sent' else 'skipped' end, sent_at = case when s.skipped is null then now() end
  from json_to_recordset($said::json) as s(id uuid, communication uuid, skipped text)
  where g.account_id = $account::integer and g.id = s.id`,
)
