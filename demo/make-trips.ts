import type { FoundDesk } from '../src/features/accounts/reads/find-desk.ts'
import { mintShareLink } from '../src/features/trip-pages/commands/mint-share-link.ts'
import { addSegment } from '../src/features/trips/commands/add-segment.ts'
import { createTrip } from '../src/features/trips/commands/create-trip.ts'
import { changeDay } from '../src/features/trips/commands/update-day.ts'
import type { AccountTx } from '../src/platform/db/account-tx.ts'
import * as pg from '../src/platform/db/pg-types.ts'
import { statement } from '../src/platform/db/statement.ts'
import { SHOWN_TRIP } from './pieces/shown-trip.ts'

/** Trips of stays that are not over: the next ones, one for a customer. */
const TRIPS = 24
/** Days from today to the trip that a newcomer is shown. */
const DEPARTS_IN = 20
const DAY_MS = 86_400_000
const findStays = statement(
  { account: pg.integer, today: pg.date },
  { customer: pg.filled(pg.uuid), first: pg.text, last: pg.text, city: pg.nullable(pg.text), near: pg.boolean },
  `
  select customer, first::text, last::text, city, near from (
    select distinct on (b.customer_id) b.customer_id as customer, h.check_in_on as first, h.check_out_on as last,
      s.address ->> 'city' as city, coalesce(c.phone, '') like '+90%' as near
    from hotel_stays h join bookings b on b.account_id = h.account_id and b.id = h.id
      join customers c on c.account_id = b.account_id and c.id = b.customer_id
      left join suppliers s on s.account_id = b.account_id and s.id = b.supplier_id
    where h.account_id = $account and b.deleted_at is null and b.status not in ('draft', 'option', 'cancelled') and h.check_out_on >= $today::date
    order by b.customer_id, h.check_in_on, h.id
  ) stay order by first, customer limit ${TRIPS}`,
)

export type DemoTrips = { readonly count: number; readonly shared: string }
type By = {
  readonly desk: FoundDesk
  readonly advisors: readonly string[]
  readonly today: string
}

/**
 * Creates trips from the agency's stays, which are then filed automatically, and one trip that is written by hand and
 * shared.
 */
export async function makeTrips(tx: AccountTx, by: By): Promise<DemoTrips> {
  const stays = await tx.all(findStays, { today: by.today })
  for (const [nth, { customer, first, last, city }] of stays.entries())
    await createTrip(tx, by.desk, customer, {
      title: city ? `${city} tatili` : 'Tatil',
      status: 'confirmed',
      start_date: first,
      end_date: last,
      destinations: city ? [city] : [],
      assigned_advisor_id: by.advisors[nth % (by.advisors.length + 1)] ?? null,
    })
  const shown = stays.find(({ near }) => near) ?? stays[0]
  if (!shown) throw new Error('The demo agency has no stays.')
  return { count: stays.length + 1, shared: await makeShownTrip(tx, by, shown.customer) }
}

/** Answers the token of its link. */
async function makeShownTrip(tx: AccountTx, by: By, customer: string): Promise<string> {
  const { desk, advisors, today } = by
  const { trip: given, days } = SHOWN_TRIP
  const dateOf = (nth: number) => new Date(Date.parse(today) + (DEPARTS_IN + nth) * DAY_MS).toISOString().slice(0, 10)
  /** `2T11:00` is eleven o'clock of the third day. */
  const clockOf = (clock: string | undefined) => clock?.replace(/^\d/, (nth) => dateOf(Number(nth))) ?? null
  const span = { start_date: dateOf(0), end_date: dateOf(days.length - 1), assigned_advisor_id: advisors[0] ?? null }
  const trip = await createTrip(tx, desk, customer, { ...given, ...span })
  for (const [nth, { day, segments }] of days.entries()) {
    await changeDay(tx, desk, trip, nth + 1, day)
    for (const { from, to, ...segment } of segments)
      await addSegment(
        tx,
        desk,
        trip,
        { day: nth + 1, place: null },
        { ...segment, start_time: clockOf(from), end_time: clockOf(to) },
      )
  }
  const link = { label: 'Demo', audience: 'traveler', supplier: null, prices: true, travelers: true }
  const { token } = await mintShareLink(tx, trip, { ...link, password: null, expires: null }, null)
  return token
}
