import { LAST_DAY } from '../pieces/calendar.ts'
import { phoneOf, travelerOf } from '../pieces/people.ts'
import { priceOf } from '../pieces/price.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { makeSale, SERVICE } from '../pieces/sale.ts'
import { clock, later, withOffset } from '../pieces/times.ts'
import { party, supplierOf, type World } from '../pieces/world.ts'
import type { Random } from '../random.ts'
import { DRIVERS, TRANSFERS } from '../vocabulary.ts'

const TYPES = ['arrival', 'arrival', 'departure', 'departure', 'inter_hotel', 'point_to_point', 'round_trip', 'hourly']
const LEVELS = { private: 1, shared: 0.4, vip: 2.5, shuttle: 0.3 }

export const makeTransfers = (world: World, count: number): Row[] => repeat(count, (at) => makeTransfer(world, at))

function makeTransfer(world: World, at: number): Row {
  const { random, day } = world
  const way = random.pick(TRANSFERS)
  const type = random.pick(TYPES)
  const nth = random.int(0, LAST_DAY)
  const pickup = `${day(nth)}T${clock(random.int(4 * 12, 23 * 12) * 5)}`
  /** Half of the systems that agencies have write times without their offset. */
  const time = random.chance(0.5) ? (local: string) => withOffset(local, way.airport) : (local: string) => local
  const back = type === 'round_trip' ? random.int(1, 6) : 0
  const sale = makeSale(world, supplierOf(world, 'transfer', 'dmc'), { from: nth, to: nth + back }, SERVICE)
  const people = party(world, sale.customer, random.int(1, 5))
  const level = random.pick(Object.keys(LEVELS) as (keyof typeof LEVELS)[])
  const unit = way.fare * LEVELS[level] * (back > 0 ? 2 : 1)
  return withoutUndefined({
    external_id: `T-${20001 + at}`,
    ...sale.parties,
    transfer_type: type,
    service_level: level,
    pickup_at: time(pickup),
    ...placesOf(random, type, way),
    dropoff_at: random.chance(0.3) ? time(later(pickup, way.airport, random.int(5, 24) * 5)) : undefined,
    return_pickup_at: back > 0 ? time(`${day(nth + back)}T${clock(random.int(60, 240) * 5)}`) : undefined,
    vehicle_class: random.pick(['Sedan', 'Minivan', 'Midibüs', 'Mercedes V']),
    vehicle_count: 1,
    ...headsOf(people.map(({ age }) => age)),
    luggage_count: random.chance(0.6) ? people.length + random.int(0, 2) : undefined,
    meet_and_greet: random.chance(0.3) ? true : undefined,
    ...(sale.status !== 'draft' && random.chance(0.4) && driver(random)),
    confirmation_number: random.chance(0.3) ? `TRF${random.digits(6)}` : undefined,
    status: sale.status,
    currency: way.currency,
    ...sale.terms,
    ...priceOf(random, { kind: 'transfer_fare', unit, quantity: 1, currency: way.currency, vat: '20' }),
    travelers: random.chance(0.3) ? people.slice(0, 1).map(travelerOf) : undefined,
  })
}

function placesOf(random: Random, type: string, { airport, name, to }: (typeof TRANSFERS)[number]): Row {
  const place = random.pick(to)
  const flight = { flight_number: `TK${random.int(2000, 2999)}`, flight_airport: airport }
  if (type === 'arrival' || type === 'round_trip') return { pickup_location: name, dropoff_location: place, ...flight }
  if (type === 'departure') return { pickup_location: place, dropoff_location: name, ...flight }
  const others = to.filter((other) => other !== place)
  return { pickup_location: place, pickup_address: `${place}, lobi`, dropoff_location: random.pick(others) }
}

function headsOf(ages: readonly number[]): Row {
  const count = (from: number, to: number) => ages.filter((age) => age >= from && age < to).length
  const [infants, children] = [count(0, 2), count(2, 12)]
  return {
    pax_count: ages.length,
    adult_count: count(12, 200),
    ...(children > 0 && { child_count: children }),
    ...(infants > 0 && { infant_count: infants, child_seat_count: infants }),
  }
}

const driver = (random: Random): Row => ({
  driver_name: random.pick(DRIVERS),
  driver_phone: phoneOf(random, 'TR'),
  plate_number: `${random.pick(['34', '48', '07'])} ${random.pick(['ABC', 'EGE', 'TRF'])} ${random.digits(3)}`,
})
