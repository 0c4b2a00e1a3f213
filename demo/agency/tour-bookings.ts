import { demoMoney } from '../pieces/amounts.ts'
import { travelerOf } from '../pieces/people.ts'
import { COST, priceOf } from '../pieces/price.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Lifecycle, makeSale } from '../pieces/sale.ts'
import { party, type World } from '../pieces/world.ts'
import { type Random, shuffled } from '../random.ts'
import { EXTRAS, PICKUP_POINTS } from '../vocabulary.ts'
import type { DemoDeparture } from './tour-departures.ts'

/** Statuses in which guests hold seats. */
const GOES: Lifecycle = {
  before: ['option', 'confirmed', 'confirmed', 'confirmed', 'confirmed'],
  during: ['in_progress'],
  after: ['completed', 'completed', 'completed', 'completed', 'completed', 'completed', 'no_show'],
}
const STAYS: Lifecycle = { before: ['draft', 'cancelled'], during: ['cancelled'], after: ['cancelled'] }
type Group = { readonly departure: DemoDeparture; readonly guests: number; readonly goes: boolean }

/** The requested number of bookings; departures that should be full come first. */
export function makeTourBookings(world: World, departures: readonly DemoDeparture[], count: number): Row[] {
  const { random } = world
  const sold = departures.filter(({ seats }) => seats > 0)
  const full = ({ row, seats }: DemoDeparture) => seats >= Number(row.max_capacity)
  const going = [...sold.filter(full), ...sold.filter((one) => !full(one))].flatMap((one) => groupsOf(random, one))
  const others = repeat(Math.max(0, count - going.length), () => ({
    departure: random.pick(sold),
    guests: random.int(1, 4),
    goes: false,
  }))
  return shuffled(random, [...going.slice(0, count), ...others]).map((group, at) => makeBooking(world, group, at))
}

/** Groups that fill the departure's seats to the last. */
function groupsOf(random: Random, departure: DemoDeparture): Group[] {
  const groups: Group[] = []
  for (let left = departure.seats; left > 0; left -= groups.at(-1)?.guests ?? left) {
    const guests = Math.min(left, random.pick([1, 2, 2, 2, 3, 4, 5]))
    groups.push({ departure, guests, goes: !departure.cancelled })
  }
  return groups
}

function makeBooking(world: World, { departure, guests, goes }: Group, at: number): Row {
  const { random } = world
  const { row, tour, supplier, from, cancelled } = departure
  const trip = { from, to: from + tour.nights }
  const lifecycle = goes ? GOES : cancelled ? { ...STAYS, before: ['cancelled'] } : STAYS
  const { customer, status, parties, terms } = makeSale(world, supplier, trip, lifecycle)
  const people = party(world, customer, guests)
  const children = people.filter(({ age }) => age < 12).length
  return withoutUndefined({
    external_id: `TB-${50001 + at}`,
    tour_departure_external_id: row.external_id,
    ...parties,
    title: random.chance(0.3) ? tour.title : undefined,
    status,
    guest_count: guests,
    ...(children > 0 && { adult_count: guests - children, child_count: children }),
    booking_reference: random.chance(0.4) ? `REF${random.digits(6)}` : undefined,
    pickup_point: random.chance(0.5) ? random.pick(PICKUP_POINTS) : undefined,
    currency: tour.currency,
    ...terms,
    ...priceOfTour(random, departure, guests),
    travelers: random.chance(0.6) ? people.map(travelerOf) : undefined,
  })
}

/** Priced per room and night, or per guest. Some guests buy extras, but not where sell lines derive from the cost. */
function priceOfTour(random: Random, { tour: { price, nights, currency } }: DemoDeparture, guests: number): Row {
  const byRooms = guests < 3 && random.chance(0.4)
  const priced = byRooms
    ? priceOfRoom(price / nights, guests, nights, currency)
    : priceOf(random, { kind: 'package_price', unit: price, quantity: guests, currency, vat: '20' })
  const { name, share } = random.pick(EXTRAS)
  const extras = [{ name, quantity: guests, amount: demoMoney(price * share, currency) }]
  return { ...priced, ...(priced.rate_basis !== 'net' && random.chance(0.4) && { extras }) }
}

const priceOfRoom = (nightly: number, guests: number, nights: number, currency: string): Row => ({
  rooms: [
    {
      name: guests === 1 ? 'Tek kişilik' : 'Çift kişilik',
      room_type: guests === 1 ? 'single' : 'double',
      occupancy: guests,
      nightly_rate: demoMoney(nightly * guests, currency),
      ...(guests === 1 && { single_supplement_amount: demoMoney(nightly * 0.25, currency) }),
    },
  ],
  cost_lines: [
    { kind: 'room_rate', amount: demoMoney(nightly * COST, currency), quantity: guests * nights, vat_rate: '20' },
  ],
})
