import Type from 'typebox'
import { money } from '../../../../catalogue/amounts.ts'
import { count } from '../../../../catalogue/count.ts'
import { required } from '../../../../catalogue/entity.ts'
import type { Field, Issue } from '../../../../catalogue/kind.ts'
import { reference, string } from '../../../../catalogue/kinds.ts'
import { list } from '../../../../catalogue/lists.ts'
import type { Values } from '../../../../catalogue/read-cells.ts'
import { maybe, Text, Uuid } from '../../../../platform/http/shapes.ts'
import { daysBetween } from '../../../../platform/time.ts'
import { defineBooking } from '../../define-booking.ts'
import { type OwnLine, PLAIN_LINE } from '../../pricing.ts'
import { CANCELLED, inProgress } from '../../status.ts'
import type { Inspection } from '../../vertical.ts'
import { roomItems, roomLines } from '../rooms.ts'
import { countSeats, type Departure, findDepartures, holdsSeats, returnSeats } from './departures.store.ts'

const departure = required(
  reference({
    to: 'tour_departures',
    table: 'tour_departures',
    by: [{ name: 'external_id', column: 'external_id' }],
    column: 'tour_departure_id',
    onMissing: 'error',
  }),
)
const extraItems = {
  name: required(string(200)),
  quantity: { ...count, default: 1 },
  amount: { ...money(), sees: 'money', note: 'Price of one unit. Adds a sell line of the kind extra.' },
} satisfies Record<string, Field>

const DEPARTURE = `(select json_build_object('id', d.id, 'external_id', d.external_id, 'title', d.title)
  from tour_departures d where d.account_id = t.account_id and d.id = o.tour_departure_id)`

export const tourBookings = defineBooking({
  key: 'tour_bookings',
  label: 'Tour bookings',
  model: 'TourBooking',
  dependencyOrder: 3,
  ...inProgress,
  fields: {
    tour_departure_external_id: departure,
    title: string(200),
    adult_count: count,
    child_count: count,
    infant_count: count,
    guest_count: required(count),
    rooms: list(roomItems),
    extras: list(extraItems),
    booking_reference: string(60),
    pickup_point: string(300),
  },
  derived: {
    tour_departure: {
      ...string(200),
      schema: Type.Object({
        id: Uuid,
        external_id: maybe(Text(200)),
        title: Text(200),
      }),
      elsewhere: { print: 'null', show: DEPARTURE },
    },
  },
  priceFrom: ['tour_departure_id', 'guest_count', 'rooms', 'extras'],
  async rules(tx, rows) {
    const departures = await findDepartures(
      tx,
      rows.flatMap(
        ({ links, stored }) => links.tour_departure_id ?? (stored?.tour_departure_id as string | null) ?? [],
      ),
    )
    const of = ({ tour_departure_id }: Values) => departures.get(String(tour_departure_id))
    return {
      lines: (record) => ({
        sell: [...roomLines(record.rooms, nightsOf(of(record))), ...extraLines(record.extras)],
        cost: [],
      }),
      inspect: (record, stored) => takeSeats(record, stored, of),
    }
  },
  afterWrite: async (tx, written) =>
    countSeats(
      tx,
      written.flatMap(({ values, before }) =>
        [values.tour_departure_id, before?.tour_departure_id].filter(Boolean).map(String),
      ),
    ),
  release: returnSeats,
  sample: {
    rows: [
      {
        external_id: 'TB-7001',
        tour_departure_external_id: 'TD-601',
        customer_external_id: 'C-1001',
        guest_count: 2,
        adult_count: 2,
        status: 'confirmed',
        currency: 'TRY',
        rooms: [{ name: 'Cave double', room_type: 'double', capacity: 2, occupancy: 2, nightly_rate: '4200.00' }],
        extras: [{ name: 'Balloon flight', quantity: 2, amount: '5500.00' }],
        cost_lines: [{ kind: 'package_price', amount: '7800.00', vat_rate: '10', tax_inclusive: true, quantity: 2 }],
        pickup_point: 'Taksim',
      },
    ],
  },
})

/** A departure without its dates is one night. */
function nightsOf(departure: Departure | undefined): number {
  return departure?.starts_on && departure.ends_on
    ? Math.max(1, daysBetween(departure.starts_on, departure.ends_on))
    : 1
}

function extraLines(extras: unknown): OwnLine[] {
  return ((extras ?? []) as Values[])
    .filter(({ amount }) => amount !== null)
    .map(({ name, quantity, amount }) => ({
      ...PLAIN_LINE,
      origin: 'extra',
      kind: 'extra',
      label: name as string,
      amount: amount as string,
      quantity: quantity as number,
    }))
}

const closed: Issue = {
  at: 'tour_departure_external_id',
  code: 'departure_closed',
  message: 'This departure is cancelled and cannot be booked.',
}
const exceeded = ({ max_capacity }: Departure): Issue => ({
  at: 'guest_count',
  code: 'capacity_exceeded',
  message: `With this booking, the departure has more than its ${max_capacity} seats sold.`,
})

/** Going over capacity is a warning, not an error: the seats are sold. */
function takeSeats(record: Values, stored: Values | null, of: (record: Values) => Departure | undefined): Inspection {
  const departure = of(record)
  const joins = stored === null || stored.tour_departure_id !== record.tour_departure_id
  if (!departure) return {}
  const [taken, held] = [holdsSeats(record), stored === null ? 0 : holdsSeats(stored)]
  const more = joins ? taken : taken - held
  if (departure.inventory_state === CANCELLED && record.status !== CANCELLED && (joins || more > 0))
    return { errors: [closed] }
  const { max_capacity, seats_held, starts_on } = departure
  const isBeyond = more > 0 && max_capacity !== null && seats_held + more > max_capacity
  return {
    columns: starts_on === (stored?.travels_on ?? null) ? {} : { travels_on: starts_on },
    warnings: isBeyond ? [exceeded(departure)] : [],
    accept() {
      const before = stored === null ? undefined : of(stored)
      if (before) before.seats_held -= held
      departure.seats_held += taken
    },
  }
}
