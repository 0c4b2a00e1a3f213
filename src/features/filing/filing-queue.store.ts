import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { leasedRows, releaseOf } from '../../platform/jobs/leased-rows.ts'

/** Greater than every id, so that the change number is complete. */
const END = `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`

const FILINGS = { table: 'trip_filings', key: [], ends: 'leased_until' } as const
/** Changes `c` with higher numbers than those that were filed, or trips to refile. */
const unfiledOf = (f: string) => `(c.last > ${f}.changed or ${f}.booking_id <> ${END}
  or exists (select from trip_refilings r where r.account_id = ${f}.account_id))`
/** An account with bookings to file that is not leased. */
export const leasedFilings = leasedRows({
  ...FILINGS,
  from: 'trip_filings q join change_counters c using (account_id)',
  waiting: unfiledOf('q'),
  order: 'random()',
  gives: {},
  columns: {},
})
/** Accounts that were never filed for have no row yet. */
export const addAccounts = statement(
  {},
  {},
  `
  insert into trip_filings (account_id) select c.account_id from change_counters c
  where not exists (select from trip_filings f where f.account_id = c.account_id) and ${notMovedSql('c.account_id')}
  on conflict do nothing`,
)
export const releaseAccount = releaseOf(FILINGS)

/** The accounts with bookings to file; since when is unknown. */
export const UNFILED = `
  select now() as due_at
  from change_counters c left join trip_filings f using (account_id)
  where ${notMovedSql('c.account_id')} and (f.account_id is null
    or (f.leased_until is null or f.leased_until <= now()) and ${unfiledOf('f')})`
export type FilingProgress = RowFrom<typeof lockFilingAccount>
/** The position of the account. The lease holder locks the row until the commit; others get no row. */
export const lockFilingAccount = statement(
  { account: pg.integer, lease: pg.uuid },
  {
    changed: pg.bigint,
    after: pg.uuid,
    /** The account's newest change number. */
    newest: pg.bigint,
    time_zone: pg.text,
    locale: pg.text,
    today: pg.date,
  },
  `
  select f.changed, f.booking_id as after, c.last as newest, a.time_zone, a.locale,
    (now() at time zone a.time_zone)::date as today
  from trip_filings f join change_counters c using (account_id) join accounts a using (account_id)
  where f.account_id = $account and f.leased_by = $lease for update of f`,
)
/**
 * The next bookings in the order of their changes. Change numbers become visible in order, because a number stays
 * locked until the commit: so no number appears before one that was already read. A tour booking changes with its
 * departure, which has its dates.
 */
export const readChanged = statement(
  { account: pg.integer, changed: pg.bigint, after: pg.uuid, entities: pg.list(pg.text), most: pg.integer },
  { id: pg.uuid, changed: pg.bigint },
  `
  select id, changed from (
    select own.id, own.changed from unnest($entities::text[]) as of(entity) cross join lateral (
      select b.id, b.changed from bookings b
      where b.account_id = $account and b.entity = of.entity and (b.changed, b.id) > ($changed::bigint, $after::uuid)
      order by b.changed, b.id limit $most) own
    union
    select t.id, d.changed from (
        select id, changed from tour_departures where account_id = $account and changed >= $changed
        order by changed, id offset 0) d
      join tour_bookings t on t.account_id = $account and t.tour_departure_id = d.id
    where (d.changed, t.id) > ($changed, $after)
  ) all_of_them order by changed, id limit $most`,
)
export const moveOn = statement(
  { account: pg.integer, changed: pg.bigint, after: pg.uuid },
  {},
  `
  update trip_filings set changed = $changed, booking_id = $after where account_id = $account`,
)
/** Everything is filed up to the newest change number, or to a later one that was seen. */
export const reachEnd = statement(
  { account: pg.integer, newest: pg.bigint, seen: pg.bigint },
  {},
  `
  update trip_filings set changed = greatest(changed, $newest::bigint, $seen::bigint), booking_id = ${END}
  where account_id = $account`,
)

export type Refiling = RowFrom<typeof readRefiling>
export const readRefiling = statement(
  { account: pg.integer },
  { id: pg.uuid, trip: pg.uuid, after: pg.uuid },
  `
  select id, trip_id as trip, booking_id as after from trip_refilings where account_id = $account order by trip_id, id limit 1`,
)
/** The bookings of the trip, those that it once had, and those of its customers that are in no other. */
export const readOfTrip = statement(
  { account: pg.integer, trip: pg.uuid, after: pg.uuid, most: pg.integer },
  { id: pg.uuid },
  `
  select id from (
    select b.id from trip_customers x cross join lateral (
      select id from bookings b
      where b.account_id = x.account_id and b.customer_id = x.customer_id and b.deleted_at is null offset 0) b
    where x.account_id = $account and x.trip_id = $trip::uuid and not exists (
      select from trip_bookings f where f.account_id = $account and f.booking_id = b.id and f.trip_id <> $trip)
    union select booking_id from trip_bookings where account_id = $account and trip_id = $trip
    union select booking_id from trip_segments where account_id = $account and trip_id = $trip and booking_id is not null
    offset 0
  ) of_trip where id > $after::uuid order by id limit $most`,
)
export const moveRefiling = statement(
  { account: pg.integer, id: pg.uuid, trip: pg.uuid, after: pg.uuid },
  {},
  `
  update trip_refilings set booking_id = $after where account_id = $account and trip_id = $trip and id = $id`,
)
export const endRefiling = statement(
  { account: pg.integer, id: pg.uuid, trip: pg.uuid },
  {},
  `
  delete from trip_refilings where account_id = $account and trip_id = $trip and id = $id`,
)
