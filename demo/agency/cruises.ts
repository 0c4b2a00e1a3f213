import { LAST_DAY } from '../pieces/calendar.ts'
import { travelerOf } from '../pieces/people.ts'
import { priceOf } from '../pieces/price.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Lifecycle, makeSale } from '../pieces/sale.ts'
import { party, supplierOf, type World } from '../pieces/world.ts'
import { CRUISE_CABINS, SHIPS } from '../vocabulary.ts'

const CRUISE: Lifecycle = {
  before: ['draft', 'option', 'confirmed', 'confirmed', 'confirmed', 'cancelled'],
  during: ['sailing'],
  after: ['completed', 'completed', 'completed', 'completed', 'completed', 'cancelled'],
}

export const makeCruises = (world: World, count: number): Row[] => repeat(count, (at) => makeCruise(world, at))

function makeCruise(world: World, at: number): Row {
  const { random, day } = world
  const { name: ship, nights, fare, currency } = random.pick(SHIPS)
  const { category, factor } = random.pick(CRUISE_CABINS)
  const from = random.int(0, LAST_DAY)
  const trip = { from, to: from + nights }
  const { customer, status, parties, terms } = makeSale(
    world,
    supplierOf(world, 'cruise', 'tour_operator'),
    trip,
    CRUISE,
  )
  const people = party(world, customer, random.pick([1, 2, 2, 2, 3, 4]))
  return withoutUndefined({
    external_id: `CR-${30001 + at}`,
    ...parties,
    ship_name: ship,
    embark_on: day(from),
    disembark_on: day(from + nights),
    cabin_count: Math.ceil(people.length / 2),
    guest_count: people.length,
    cabin_category: category,
    status,
    currency,
    ...terms,
    ...priceOf(random, { kind: 'cabin_fare', label: category, unit: fare * factor, quantity: people.length, currency }),
    travelers: random.chance(0.7) ? people.map(travelerOf) : undefined,
  })
}
