import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { daysBetween } from '../../../platform/time.ts'
import { refuseAttributes } from '../../../records/attributes.ts'

type Dates = { readonly start: string | null; readonly end: string | null }

const findLeftOut = statement(
  {
    account: pg.integer,
    trip: pg.uuid,
    /** What is added to the number of each existing day. */
    by: pg.integer,
    /** How many days there are to be; null for as many as there are. */
    length: pg.nullable(pg.integer),
  },
  { day: pg.integer, date: pg.nullable(pg.date), segments: pg.integer },
  `
  select d.day_number as day, d.date, count(*)::integer as segments
  from trip_days d join trip_segments s on s.account_id = d.account_id and s.trip_day_id = d.id
  where d.account_id = $account and d.trip_id = $trip
    and (d.day_number + $by::integer < 1 or d.day_number + $by > $length::integer)
  group by d.day_number, d.date order by d.day_number`,
)

/** Segments created by people move with their day. Those of a booking keep its dates. */
const moving = statement(
  {
    account: pg.integer,
    trip: pg.uuid,
    /** What is added to the number of each existing day. */
    by: pg.integer,
    /** How many days there are to be; null for as many as there are. */
    length: pg.nullable(pg.integer),
    start: pg.nullable(pg.date),
  },
  {},
  `
  with becoming as (
    select d.account_id, d.id, d.date, d.day_number + $by::integer as day_number, d.position + $by as position,
      $start::date + d.day_number + $by - 1 as becomes
    from trip_days d where d.account_id = $account::integer and d.trip_id = $trip
  ), gone as (
    delete from trip_days d using becoming b
    where d.account_id = b.account_id and d.id = b.id and (b.day_number < 1 or b.day_number > $length::integer)
  ), segments as (
    update trip_segments s set start_time = s.start_time + (b.becomes - b.date) * interval '1 day',
      end_time = s.end_time + (b.becomes - b.date) * interval '1 day', updated_at = now()
    from becoming b
    where s.account_id = b.account_id and s.trip_day_id = b.id and s.booking_id is null and b.becomes <> b.date
  ), moved as (
    update trip_days d set day_number = b.day_number, position = b.position, date = b.becomes, updated_at = now()
    from becoming b where d.account_id = b.account_id and d.id = b.id
      and b.day_number >= 1 and (b.day_number <= $length or $length is null)
      and (d.day_number <> b.day_number or d.date is distinct from b.becomes)
  )
  insert into trip_days (account_id, trip_id, day_number, position, date)
  select $account, $trip::uuid, nth, nth, $start::date + nth - 1 from generate_series(1, $length) nth
  where not exists (select from becoming b where b.day_number = nth)`,
)

/**
 * Adjusts the days of a trip to its dates. A trip with the same length moves as a whole, and so does one whose dates do
 * not overlap the previous ones; otherwise days keep their dates. Refuses to remove a day with segments.
 */
export async function moveDays(tx: AccountTx, trip: string, from: Dates, to: Dates): Promise<void> {
  const length = lengthOf(to)
  const move = { trip, by: renumbering(from, to), length }
  const [leftOut] = await tx.all(findLeftOut, move)
  if (leftOut) {
    const { day, date, segments } = leftOut
    const on = date ? ` (${date})` : ''
    refuseAttributes([
      ['end_date', `This would remove day ${day}${on}, which has segments (${segments}). Move or remove them first.`],
    ])
  }
  tx.later(moving, { ...move, start: to.start })
}

const lengthOf = ({ start, end }: Dates): number | null => (start && end ? daysBetween(start, end) + 1 : null)

/** The new number of a day. It changes only if days keep their dates while the start moves. */
function renumbering(from: Dates, to: Dates): number {
  const lengths = [lengthOf(from), lengthOf(to)]
  if (!from.start || !from.end || !to.start || !to.end || lengths[0] === lengths[1]) return 0
  const haveDaysInCommon = to.start <= from.end && from.start <= to.end
  return haveDaysInCommon ? daysBetween(to.start, from.start) : 0
}
