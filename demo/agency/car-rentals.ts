import { LAST_DAY } from '../pieces/calendar.ts'
import { travelerOf } from '../pieces/people.ts'
import { priceOf } from '../pieces/price.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Lifecycle, makeSale } from '../pieces/sale.ts'
import { clock, withOffset } from '../pieces/times.ts'
import { party, supplierOf, type World } from '../pieces/world.ts'
import { RENTALS, VEHICLES } from '../vocabulary.ts'

const RENTAL: Lifecycle = {
  before: ['draft', 'option', 'confirmed', 'confirmed', 'confirmed', 'cancelled'],
  during: ['out'],
  after: ['returned', 'returned', 'returned', 'returned', 'no_show', 'cancelled'],
}

export const makeCarRentals = (world: World, count: number): Row[] => repeat(count, (at) => makeRental(world, at))

function makeRental(world: World, at: number): Row {
  const { random, day } = world
  const { location, other, airport, currency, daily } = random.pick(RENTALS)
  const { name: vehicle, factor } = random.pick(VEHICLES)
  const from = random.int(0, LAST_DAY)
  const days = random.int(1, 14)
  const hour = random.int(8 * 2, 20 * 2) * 30
  const time = (nth: number, minutes: number) => `${day(nth)}T${clock(minutes)}`
  const written = random.chance(0.5) ? (local: string) => withOffset(local, airport) : (local: string) => local
  const trip = { from, to: from + days }
  const { customer, status, parties, terms } = makeSale(world, supplierOf(world, 'car_rental'), trip, RENTAL)
  return withoutUndefined({
    external_id: `CAR-${40001 + at}`,
    ...parties,
    vehicle_class: vehicle,
    pickup_location: location,
    dropoff_location: random.chance(0.75) ? location : other,
    pickup_at: written(time(from, hour)),
    return_at: written(time(from + days, hour - random.int(0, 2) * 60)),
    pax_count: random.int(1, 5),
    status,
    currency,
    ...terms,
    ...priceOf(random, { kind: 'daily_rate', unit: daily * factor, quantity: days, currency, vat: '20' }),
    travelers: random.chance(0.5) ? party(world, customer, 1).map(travelerOf) : undefined,
  })
}
