import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Reason } from '../../../platform/http/reasons.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { spanRefused } from '../reads/trip-span.ts'

const SERIES = 'TRP'

export type NewTrip = {
  readonly company: string
  readonly branch: string | null
  readonly customer: string
  /** Defaults to the destinations, or the reference number. */
  readonly title: string | null
  readonly type: string | null
  readonly start: string | null
  readonly end: string | null
  readonly destinations: readonly string[]
  readonly currency: string
  readonly advisor: string | null
}

const open = statement(
  {
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    customer: pg.uuid,
    title: pg.nullable(pg.text),
    type: pg.nullable(pg.text),
    start: pg.nullable(pg.date),
    end: pg.nullable(pg.date),
    destinations: pg.list(pg.text),
    currency: pg.text,
    advisor: pg.nullable(pg.uuid),
    account: pg.integer,
  },
  { id: pg.uuid },
  `
  with counter as (
    insert into trip_counters as c (account_id, year, last)
    select a.account_id, extract(year from now() at time zone a.time_zone), 1 from accounts a where a.account_id = $account::integer
    on conflict (account_id, year) do update set last = c.last + 1 returning document_number('${SERIES}', year, last) as number
  ), trip as (
    insert into trips (account_id, company_id, branch_id, reference_number, title, status, trip_type, start_date, end_date,
      destinations, primary_currency, assigned_advisor_id, settings)
    select a.account_id, $company::uuid, $branch::uuid, n.number,
      coalesce($title::text, nullif(left(array_to_string($destinations::text[], ', '), 200), ''), n.number), 'planning', $type::text,
      $start::date, $end::date, $destinations::text[], $currency::text, $advisor::uuid,
      jsonb_build_object('show_prices', false, 'language', a.locale)
    from counter n join accounts a on a.account_id = $account
    returning account_id, id, start_date, end_date
  ), customer as (
    insert into trip_customers (account_id, trip_id, customer_id, is_primary) select account_id, id, $customer::uuid, true from trip
  ), traveler as (
    insert into trip_travelers (account_id, trip_id, customer_id, is_lead, position)
    select t.account_id, t.id, c.id, true, 1 from trip t join customers c on c.account_id = t.account_id and c.id = $customer
    where c.customer_type = 'individual'
  ), days as (
    insert into trip_days (account_id, trip_id, day_number, position, date)
    select t.account_id, t.id, nth, nth, t.start_date + nth - 1 from trip t cross join generate_series(1, t.end_date - t.start_date + 1) nth
  )
  select id from trip`,
)

/** Why a trip cannot be opened with these dates. */
export const datesRefused = ({ start, end }: Pick<NewTrip, 'start' | 'end'>): Reason[] =>
  spanRefused('trip.end_date', start, end)

/** Makes a trip in planning, with a day for each date from its start to its end. Answers the id. */
export async function openTrip(tx: AccountTx, trip: NewTrip): Promise<string> {
  refuseAttributes(datesRefused(trip))
  const { id } = (await tx.one(open, trip)) as { id: string }
  return id
}
