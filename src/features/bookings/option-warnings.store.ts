import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** Days before an option date, by the account's calendar. */
const FIRST_WARNING = 3

const LAST_WARNING = 1

export const optionTimeZones = statement(
  {},
  { zone: pg.text },
  `select distinct time_zone as zone from accounts where status = 'active'`,
)

/** The warning of the two that is due now: a missed first one is not sent together with the last. */
export const warnOfOptions = statement(
  { days: pg.jsonText },
  {
    account: pg.integer,
    seat: pg.uuid,
    booking: pg.uuid,
    label: pg.text,
    title: pg.text,
    isLast: pg.boolean,
  },
  `
  with today as (select * from json_to_recordset($days::json) as d(zone text, day date)),
  expiring as (
    select b.account_id, b.id as booking_id, b.option_date, booking_label(b.entity, b.external_id) as label,
      case when b.option_date - d.day <= ${LAST_WARNING} then ${LAST_WARNING} else ${FIRST_WARNING} end as days_before,
      coalesce((select s.id from seats s where s.account_id = b.account_id and s.id = b.assigned_to_id and s.active), a.owner_id) as seat_id
    from today d join accounts a on a.time_zone = d.zone and a.status = 'active' and ${notMovedSql('a.account_id')}
    join bookings b on b.account_id = a.account_id and b.status = 'option' and b.deleted_at is null
      and b.option_date between d.day and d.day + ${FIRST_WARNING}
  ),
  warned as (
    insert into booking_option_warnings (account_id, booking_id, option_date, days_before)
    select account_id, booking_id, option_date, days_before from expiring where seat_id is not null
    on conflict do nothing returning account_id, booking_id
  )
  select account_id as account, seat_id as seat, booking_id as booking, label,
    label || ': the option expires on ' || option_date as title, days_before = ${LAST_WARNING} as "isLast"
  from warned join expiring using (account_id, booking_id)`,
)
