import { randomUUIDv7 } from 'node:crypto'
import { daysBetween } from '../../platform/time.ts'
import { clock } from '../pieces/times.ts'
import type { Random } from '../random.ts'
import { PLACES } from '../vocabulary.ts'
import type { House, Stay } from './past-trips.store.ts'
import { dayAfter, type Timeline } from './timeline.ts'
import { TRIP_TITLES } from './words.ts'

/** A trip that is over. `booking` is its stay; an older one was written by hand. */
export type PastTrip = {
  readonly id: string
  readonly customer: string
  readonly booking: string | null
  readonly language: 'en' | 'tr'
  readonly title: string
  readonly type: string
  readonly start: string
  readonly end: string
  readonly city: string
  readonly currency: string
  readonly advisor: string | null
  readonly created_at: string
  readonly segments: readonly PastSegment[]
}
type PastSegment = {
  readonly id: string
  readonly trip: string
  readonly type: 'lodging' | 'transfer' | 'tour'
  readonly title: string
  readonly start: string
  readonly end: string
  readonly place: string | null
  readonly supplier: string
}
/** Of whom a trip is made, and where and when it was. */
type Journey = Omit<Stay, 'booking'> & { readonly booking: string | null }

/**
 * How many days ago the trips ended: some of every month, more of the last ones; several half a year ago, and several
 * whose anniversary is near.
 */
const RETURNS = [
  [5, 7, 9, 13, 17, 22, 27, 32, 36, 41, 45, 50, 55, 60, 66, 72, 78, 84, 89, 97, 104, 112, 119, 127, 136, 145],
  [152, 157, 163, 170, 176, 182, 189, 196, 204, 209, 216, 227, 238, 251, 263, 275, 288, 299],
  [307, 312, 319, 325, 331, 337, 344, 350, 356, 362, 367, 372, 380, 389, 402, 417],
].flat()
/** A stay that ended so few days before or after is as good, as long as its survey has been sent. */
const ABOUT = 3
const LATEST_RETURN = 3
/** Most trips are with them, so that there is something to say of each. */
const FAVOURITE_HOTELS = 8
const [TRANSFERS, GUIDES] = [2, 2]
/** Sold so many days before: too late for whatever is said of a trip two months ahead. */
const SOLD_BEFORE = { least: 18, most: 55 }
const WITH_TRANSFER = 0.7
const WITH_TOUR = 0.4
const WITHOUT_ADVISOR = 0.07

type Given = {
  readonly random: Random
  readonly time: Timeline
  readonly stays: readonly Stay[]
  readonly houses: readonly House[]
  readonly advisors: readonly string[]
}

/** The trips of the past, the latest first: each of another customer. The first has something of everything. */
export function planTrips({ random, time, stays, houses, advisors }: Given): PastTrip[] {
  const hotels = favourites(houses, stays)
  const [transfers, guides] = [ofType(houses, 'transfer', TRANSFERS), ofType(houses, 'dmc', GUIDES)]
  const known = new Map(hotels.map((hotel) => [hotel.id, hotel]))
  const gone = new Set<string>()
  const asked = stays.filter(({ last }) => last <= time.ago(LATEST_RETURN))
  return RETURNS.map((days, nth) => {
    const free = asked.filter(({ customer }) => !gone.has(customer))
    const fitting = nth === 0 ? free.filter(isAtHome) : free
    const journey = staysOf(fitting, known, time.ago(days)) ?? byHand(random, fitting, hotels, time.ago(days))
    gone.add(journey.customer)
    const hotel = known.get(journey.hotel) as House
    const whole = nth === 0
    return tripOf(random, time, journey, hotel, {
      advisor: !whole && random.chance(WITHOUT_ADVISOR) ? null : random.pick(advisors),
      transfer: whole || random.chance(WITH_TRANSFER) ? random.pick(transfers) : null,
      guide: whole || random.chance(WITH_TOUR) ? random.pick(guides) : null,
    })
  })
}

const isAtHome = ({ isNear, isCompany, hasEmail }: Stay) => isNear && !isCompany && hasEmail
const ofType = (houses: readonly House[], type: string, most: number) =>
  houses.filter((house) => house.type === type).slice(0, most)

/** The hotels in which most stays were. */
function favourites(houses: readonly House[], stays: readonly Stay[]): House[] {
  const counts = Map.groupBy(stays, ({ hotel }) => hotel)
  const countOf = ({ id }: House) => counts.get(id)?.length ?? 0
  return houses
    .filter(({ type }) => type === 'hotel')
    .toSorted((a, b) => countOf(b) - countOf(a))
    .slice(0, FAVOURITE_HOTELS)
}

/** The stay in one of these hotels that ended nearest to a day, where one did. */
function staysOf(stays: readonly Stay[], hotels: ReadonlyMap<string, House>, day: string): Journey | undefined {
  const away = ({ last }: Stay) => Math.abs(daysBetween(last, day))
  return stays.filter((stay) => hotels.has(stay.hotel) && away(stay) <= ABOUT).toSorted((a, b) => away(a) - away(b))[0]
}

/** Somebody's trip from before the bookings that are known. */
function byHand(random: Random, stays: readonly Stay[], hotels: readonly House[], last: string): Journey {
  const { customer, isCompany, isNear, hasEmail } = random.pick(stays)
  const first = dayAfter(last, -random.int(2, 8))
  return { booking: null, customer, isCompany, isNear, hasEmail, first, last, hotel: random.pick(hotels).id }
}

type With = {
  readonly advisor: string | null
  readonly transfer: House | null | undefined
  readonly guide: House | null | undefined
}
function tripOf(
  random: Random,
  time: Timeline,
  journey: Journey,
  hotel: House,
  { advisor, transfer, guide }: With,
): PastTrip {
  const { booking, customer, first, last, isCompany, isNear } = journey
  const { city } = hotel
  const id = randomUUIDv7()
  const { title, type } = random.pick(
    TRIP_TITLES[isCompany ? 'company' : daysBetween(first, last) < 4 ? 'short' : 'long'],
  )
  const sold = dayAfter(first, -random.int(SOLD_BEFORE.least, SOLD_BEFORE.most))
  const segment = (kind: PastSegment['type'], name: string, of: House, start: string, end: string): PastSegment => ({
    id: randomUUIDv7(),
    trip: id,
    type: kind,
    title: name,
    start,
    end,
    place: kind === 'lodging' ? of.name : null,
    supplier: of.id,
  })
  const second = dayAfter(first, 1)
  return {
    id,
    customer,
    booking,
    language: isNear ? 'tr' : 'en',
    title: title(city),
    type,
    start: first,
    end: last,
    city,
    currency: PLACES.find((place) => place.city === city)?.currency ?? 'EUR',
    advisor,
    created_at: time.at(sold, clock(random.int(9 * 60, 18 * 60))),
    segments: [
      ...(transfer
        ? [segment('transfer', 'Havalimanından otele transfer', transfer, `${first}T13:30`, `${first}T14:15`)]
        : []),
      ...(booking === null ? [segment('lodging', hotel.name, hotel, `${first}T15:00`, `${last}T11:00`)] : []),
      ...(guide ? [segment('tour', `Rehberle ${city}`, guide, `${second}T09:30`, `${second}T13:00`)] : []),
    ],
  }
}
