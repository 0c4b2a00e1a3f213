import { demoMoney } from '../pieces/amounts.ts'
import { LAST_DAY } from '../pieces/calendar.ts'
import { travelerOf } from '../pieces/people.ts'
import { aboutAs, COST, feeOf, priceOf } from '../pieces/price.ts'
import { type Row, repeat, withoutUndefined } from '../pieces/row.ts'
import { type Lifecycle, makeSale } from '../pieces/sale.ts'
import { party, type Supplier, supplierOf, type World } from '../pieces/world.ts'
import type { Random } from '../random.ts'
import { ROOM_TYPES } from '../vocabulary.ts'

const STAY: Lifecycle = {
  before: ['draft', 'option', 'confirmed', 'confirmed', 'confirmed', 'cancelled'],
  during: ['in_house', 'in_house', 'in_house', 'cancelled'],
  after: ['checked_out', 'checked_out', 'checked_out', 'checked_out', 'no_show', 'cancelled'],
}

export const makeHotelStays = (world: World, count: number): Row[] => repeat(count, (at) => makeStay(world, at))

function makeStay(world: World, at: number): Row {
  const { random, day } = world
  const hotel = supplierOf(world, 'hotel')
  const place = hotel.place as NonNullable<Supplier['place']>
  const from = random.int(0, LAST_DAY)
  const nights = random.int(1, 10)
  const guests = random.int(1, 4)
  const { customer, status, parties, terms } = makeSale(world, hotel, { from, to: from + nights }, STAY)
  const { night: unit, currency } = place
  return withoutUndefined({
    external_id: `H-${9001 + at}`,
    ...parties,
    check_in_on: day(from),
    check_out_on: day(from + nights),
    guest_count: guests,
    status,
    currency,
    ...terms,
    ...(random.chance(0.25)
      ? byRooms(random, { unit, nights, guests, currency })
      : priceOf(random, { kind: 'room_rate', unit, quantity: nights, currency, vat: '10' })),
    travelers: random.chance(0.6) ? party(world, customer, guests).map(travelerOf) : undefined,
  })
}

type Nights = { unit: number; nights: number; guests: number; currency: string }
function byRooms(random: Random, { unit, nights, guests, currency }: Nights): Row {
  const price = aboutAs(random, unit)
  const fee = feeOf(random, price * nights, currency)
  return {
    rooms: [
      {
        name: random.pick(ROOM_TYPES),
        capacity: Math.max(2, guests),
        occupancy: guests,
        nightly_rate: demoMoney(price, currency),
        ...(guests === 1 && { single_supplement_amount: demoMoney(price * 0.2, currency) }),
      },
    ],
    cost_lines: [{ kind: 'room_rate', amount: demoMoney(price * COST, currency), quantity: nights, vat_rate: '10' }],
    ...(fee.length > 0 && { sell_lines: fee }),
  }
}
