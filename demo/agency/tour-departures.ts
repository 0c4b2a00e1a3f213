import { LAST_DAY, TODAY } from '../pieces/calendar.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Supplier, supplierOf, type World } from '../pieces/world.ts'
import { TOURS } from '../vocabulary.ts'

/** A departure, with what its bookings need. */
export type DemoDeparture = {
  readonly row: Row
  readonly tour: (typeof TOURS)[number]
  readonly supplier: Supplier
  readonly from: number
  readonly cancelled: boolean
  /** The number of seats to sell; above the capacity if overbooked. */
  readonly seats: number
}

/** Every tenth is an idea for next year, without dates. */
const UNDATED_EVERY = 10
const OVERBOOKED_BY = 3

/**
 * Departures over the year, in the order of their dates. Of those to come some are sold out, one is overbooked, one is
 * cancelled, and some have not been sold yet.
 */
export function makeTourDepartures(world: World, count: number): DemoDeparture[] {
  let coming = 0
  return repeat(count, (at) => {
    if (at % UNDATED_EVERY === UNDATED_EVERY - 1) return makeIdea(world, at)
    const from = Math.round((at * LAST_DAY) / count) + world.random.int(0, 3)
    return makeDeparture(world, at, from, from > TODAY ? coming++ : null)
  })
}

function makeIdea(world: World, at: number): DemoDeparture {
  const made = makeDeparture(world, at, LAST_DAY, null)
  const { starts_on: _, ends_on: __, ...row } = made.row
  return { ...made, row: { ...row, inventory_state: 'on_request' }, seats: 0 }
}

/** `coming`: its index among future departures; null for past and current ones. */
function makeDeparture(world: World, at: number, from: number, coming: number | null): DemoDeparture {
  const { random, day } = world
  const tour = random.pick(TOURS)
  const supplier = supplierOf(world, 'tour_operator', 'dmc')
  const capacity = random.int(12, 22) * 2
  const cancelled = coming === 2
  const row = withoutUndefined({
    external_id: `TD-${601 + at}`,
    title: tour.title,
    starts_on: day(from),
    ends_on: day(from + tour.nights),
    currency: tour.currency,
    max_capacity: capacity,
    inventory_state: cancelled ? 'cancelled' : stateOf(from, from + tour.nights, coming),
    supplier_external_id: supplier.row.external_id,
    notes: random.chance(0.2) ? 'Rehber ve otel teyitli.' : undefined,
  })
  return { row, tour, supplier, from, cancelled, seats: seatsOf(capacity, coming, random.int(72, 100)) }
}

function stateOf(from: number, to: number, coming: number | null): string {
  if (to < TODAY) return 'completed'
  if (from <= TODAY) return 'departed'
  return coming !== null && coming % 4 === 3 ? 'min_not_met' : 'open'
}

/** Every fourth future departure is sold out, beginning with the first, and every fourth has no bookings. */
function seatsOf(capacity: number, coming: number | null, percent: number): number {
  if (coming === 1) return capacity + OVERBOOKED_BY
  if (coming !== null && coming % 4 === 0) return capacity
  if (coming !== null && coming % 4 === 3) return 0
  return Math.round((capacity * percent) / 100)
}
