import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { notify } from '../notifications/commands/notify.ts'

/** A booking that fits into no trip of its customer, or into several. */
export type Unfiled = {
  readonly booking_id: string
  readonly customer_id: string
  readonly first_day: string
  readonly last_day: string
  /** The number of matching trips. */
  readonly trips: number
}

/** To be reported, unless it was already and customer and dates are the same. */
export const keepUnfiled = statement(
  { account: pg.integer, unfiled: pg.jsonText },
  {},
  `
  insert into unfiled_bookings as u (account_id, booking_id, customer_id, first_day, last_day, trips)
  select $account::integer, booking_id, customer_id, first_day, last_day, trips from json_to_recordset($unfiled::json)
    as given(booking_id uuid, customer_id uuid, first_day date, last_day date, trips integer)
  on conflict (account_id, booking_id) do update set customer_id = excluded.customer_id, first_day = excluded.first_day,
    last_day = excluded.last_day, trips = excluded.trips, told_at = null
  where (u.customer_id, u.first_day, u.last_day) <> (excluded.customer_id, excluded.first_day, excluded.last_day)`,
)
/** Drops notifications that no longer apply. Sent ones stay, so that they are not sent again. */
export const forgetNotReported = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  {},
  `
  delete from unfiled_bookings where account_id = $account and booking_id = any($bookings::uuid[]) and told_at is null`,
)

/** To the seat that a booking is assigned to, else to the owner: a booking by its name, several by their number. */
const markReported = statement(
  { account: pg.integer },
  {
    seat: pg.uuid,
    title: pg.text,
    /** The booking, if there is only one. */
    booking: pg.nullable(pg.uuid),
    label: pg.nullable(pg.text),
  },
  `
  with told as (
    update unfiled_bookings set told_at = now() where account_id = $account::integer and told_at is null
    returning account_id, booking_id, trips
  ),
  named as (
    select t.account_id, b.id, booking_label(b.entity, b.external_id) as label, t.trips,
      coalesce((select s.id from seats s where s.account_id = b.account_id and s.id = b.assigned_to_id and s.active), a.owner_id) as seat_id
    from told t join bookings b on b.account_id = t.account_id and b.id = t.booking_id
      join accounts a on a.account_id = t.account_id
  ),
  grouped as (
    select account_id, seat_id, count(*) as bookings, min(label) as label, min(id::text)::uuid as id, min(trips) as trips
    from named where seat_id is not null group by account_id, seat_id
  )
  select seat_id as seat,
    case when bookings > 1 then bookings || ' bookings fit into no trip, or into several'
      when trips = 0 then label || ' fits into no trip' else label || ' fits into ' || trips || ' trips' end as title,
    case when bookings = 1 then id end as booking, case when bookings = 1 then label end as label
  from grouped`,
)

/** Notifies the seats of an account of what could not be filed since they were last notified: once each. */
export async function notifyOfUnfiled(tx: AccountTx): Promise<void> {
  const reported = await tx.all(markReported, {})
  notify(
    tx,
    ...reported.map(({ seat, title, booking, label }) => ({
      seat,
      kind: 'booking_unfiled' as const,
      title,
      body: null,
      priority: 'normal' as const,
      subjectType: booking === null ? null : 'Booking',
      subjectId: booking,
      subjectLabel: label,
    })),
  )
}
