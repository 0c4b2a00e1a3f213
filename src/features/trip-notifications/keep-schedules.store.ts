import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { dueSql, movesSql } from './due-sql.ts'
import { PLAN } from './plan.ts'

/** Trips that are looked at by one statement, and brought into step by one transaction. */
const TOGETHER = 500

/** Time after the end of a trip in which notifications may be due, plus one day for time zones. */
const LONGEST = `greatest(${PLAN.map(({ after }) => `interval '${after}'`).join(', ')}) + interval '1 day'`

/**
 * The next trips by account: the last one of each, and those whose schedule is out of date. `offset` forces a lookup
 * per trip instead of reading all schedules; the order selects the index.
 */
export const keepSchedulesFrom = statement(
  { account: pg.integer, trip: pg.uuid },
  { account: pg.integer, trip: pg.uuid, astray: pg.list(pg.uuid) },
  `
  with page as (
    select account_id, id, start_date, end_date, notification_preferences from trips
    where (account_id, id) > ($account, $trip::uuid) and status <> 'cancelled'
      and coalesce(end_date, start_date) >= current_date - (${LONGEST}) and ${notMovedSql('account_id')}
    order by account_id, id limit ${TOGETHER}
  ),
  due as materialized (${dueSql('select * from page')}),
  kept as (
    select n.* from page p cross join lateral (
      select * from trip_notifications where account_id = p.account_id and trip_id = p.id order by kind offset 0) n
  ),
  astray as (
    select distinct d.account_id, d.trip_id as id from due d left join kept k
      on k.account_id = d.account_id and k.trip_id = d.trip_id and k.kind = d.kind and k.audience = d.audience
    where k.id is null or ${movesSql('k', 'd')}
  )
  select p.account_id as account, (array_agg(p.id order by p.id desc))[1] as trip,
    coalesce(array_agg(a.id) filter (where a.id is not null), '{}') as astray
  from page p left join astray a on a.account_id = p.account_id and a.id = p.id group by p.account_id order by p.account_id`,
)
