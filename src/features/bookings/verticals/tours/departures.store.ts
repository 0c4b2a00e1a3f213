import type { Values } from '../../../../catalogue/read-cells.ts'
import type { Revert } from '../../../../imports/importable.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import * as pg from '../../../../platform/db/pg-types.ts'
import { quoted } from '../../../../platform/db/quoted.ts'
import { type RowFrom, statement } from '../../../../platform/db/statement.ts'

/** A departure as far as its seats go. `seats_held` counts on while the rows of a batch take theirs. */
export type Departure = RowFrom<typeof find>

const HOLDING = ['option', 'confirmed', 'in_progress']
/** The statuses of a departure with seats on sale or that could be; the others are final. */
export const SELLING = ['open', 'closed_direct', 'on_request', 'min_not_met', 'sold_out']

/** The seats that a tour booking holds. */
export const holdsSeats = ({ status, guest_count }: Values): number =>
  HOLDING.includes(String(status)) ? Number(guest_count ?? 0) : 0

const find = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {
    id: pg.uuid,
    inventory_state: pg.text,
    starts_on: pg.nullable(pg.date),
    ends_on: pg.nullable(pg.date),
    max_capacity: pg.nullable(pg.integer),
    seats_held: pg.integer,
  },
  `
  select id, inventory_state, starts_on, ends_on, max_capacity, seats_held from tour_departures
  where account_id = $account and id = any($ids::uuid[])`,
)

/** A departure that fills up becomes sold out; a full one opens when seats are returned. Only changes are written. */
const count = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {},
  `
  update tour_departures d set seats_held = held.seats, inventory_state = case
      when held.seats > 0 and held.seats >= d.max_capacity and d.inventory_state in (${quoted(SELLING)}) then 'sold_out'
      when d.inventory_state = 'sold_out' and d.seats_held >= d.max_capacity and held.seats < d.max_capacity then 'open'
      else d.inventory_state end
  from unnest($ids::uuid[]) as key(id) cross join lateral (
    select coalesce(sum(o.guest_count), 0)::integer as seats
    from tour_bookings o join bookings b on b.account_id = $account and b.id = o.id
    where o.account_id = $account and o.tour_departure_id = key.id and b.status in (${quoted(HOLDING)}) and b.deleted_at is null
  ) held
  where d.account_id = $account and d.id = key.id and d.seats_held <> held.seats`,
)

export async function findDepartures(tx: AccountTx, ids: readonly string[]): Promise<ReadonlyMap<string, Departure>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.all(find, { ids: [...new Set(ids)] })).map((departure) => [departure.id, departure]))
}

/** Counts the seats that the bookings of these departures hold, after bookings have come, moved, or gone. */
export function countSeats(tx: AccountTx, ids: readonly string[]): void {
  if (ids.length > 0) tx.later(count, { ids: [...new Set(ids)].sort() })
}

const departuresOf = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  { id: pg.uuid },
  'select distinct tour_departure_id as id from tour_bookings where account_id = $account and id = any($bookings::uuid[])',
)
/** Returns the seats of bookings that are gone. */
export async function returnSeats(tx: AccountTx, bookings: readonly string[]): Promise<void> {
  const departures = await tx.all(departuresOf, { bookings: [...bookings] })
  countSeats(
    tx,
    departures.map(({ id }) => id),
  )
}

/** A departure with bookings departuresThatStay when the import that made it is taken back. */
export const departuresThatStay: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select key.id, 'has_bookings' as reason from unnest($ids::uuid[]) as key(id)
  where exists (
    select from tour_bookings o join bookings b on b.account_id = o.account_id and b.id = o.id
    where o.account_id = $account and o.tour_departure_id = key.id and b.deleted_at is null)`,
)

export const moveBookingsOfDeparture = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {},
  `
  update bookings b set travels_on = d.starts_on
  from unnest($ids::uuid[]) as key(id) join tour_departures d on d.account_id = $account and d.id = key.id
    join tour_bookings o on o.account_id = $account and o.tour_departure_id = d.id
  where b.account_id = $account and b.id = o.id and b.travels_on is distinct from d.starts_on`,
)
