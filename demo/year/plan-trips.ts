import { randomUUIDv7 } from 'node:crypto'
import { daysBetween } from '../../src/platform/time.ts'
import { clock } from '../pieces/times.ts'
import type { Random } from '../random.ts'
import { PLACES } from '../vocabulary.ts'
import type { House, Stay } from './past-trips.store.ts'
import { dayAfter, type Timeline } from './timeline.ts'
import { SEGMENT_TITLES, TRIP_TITLES } from './words.ts'

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
  readonly segments: readonly Segment[]
}
type Segment = {
  readonly id: string
  readonly trip: string
  readonly type: 'lodging' | 'transfer' | 'tour'
  readonly title: string
  readonly start: string
  readonly end: string
  readonly place: string | null
  readonly supplier: string
}
/** The customer, place and dates of a trip. */
type Journey = Omit<Stay, 'booking'> & { readonly booking: string | null }

/**
 * How many days ago the trips ended: some of every month, more of the last ones; several half a year ago, and several
 * whose anniversary is near.
 */
const RETURNS = [
  [4, 9, 13, 17, 22, 27, 32, 36, 41, 45, 50, 55, 60, 66, 72, 78, 84, 89, 97, 104, 112, 119, 127, 136, 145],
  [152, 156, 161, 166, 171, 176, 182, 188, 193, 198, 203, 208, 216, 227, 238, 251, 263, 275, 288, 299],
  [307, 312, 319, 325, 331, 337, 344, 350, 356, 362, 367, 372, 380, 389, 402, 417],
].flat()
/** A stay that ended so few days before or after is as good, as long as its survey has been sent. */
const ABOUT = 2
const LATEST_RETURN = 3
/** Every trip has these, so that each can be rated. */
const FAVOURITE_HOTELS = 8
const [TRANSFERS, GUIDES] = [2, 1]
/** Sold this many days ahead: too late for notifications that are due two months before the trip. */
const SOLD_BEFORE = { least: 18, most: 55 }
/** Shorter trips are not holidays. */
const LONG = 4
const [OPENS, CLOSES] = [9 * 60, 18 * 60]
const WITH_TRANSFER = 0.8
/** With the first of those who do it. */
const MOSTLY = 0.65
const WITH_TOUR = 0.45
/** One in this many trips has no advisor. */
const WITHOUT_ADVISOR = 14

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
  const gone = new Set<string>()
  const visits = new Map(hotels.map(({ id }) => [id, 0]))
  const asked = stays.filter(({ last }) => last <= time.ago(LATEST_RETURN))
  const trips = RETURNS.map((days, nth) => {
    const first = nth === 0
    const free = asked.filter((stay) => !gone.has(stay.customer) && (!first || isAtHome(stay)))
    const day = time.ago(days)
    const journey = stayUntil(day, free, hotels) ?? byHand(random, day, free, rarest(visits))
    gone.add(journey.customer)
    visits.set(journey.hotel, (visits.get(journey.hotel) ?? 0) + 1)
    return tripOf(random, time, journey, {
      hotel: hotels.find(({ id }) => id === journey.hotel) as House,
      transfer: first || random.chance(WITH_TRANSFER) ? (transfers[random.chance(MOSTLY) ? 0 : 1] ?? null) : null,
      guide: first || random.chance(WITH_TOUR) ? random.pick(guides) : null,
      advisor: nth % WITHOUT_ADVISOR === WITHOUT_ADVISOR / 2 ? null : (advisors[nth % advisors.length] ?? null),
    })
  })
  return trips.toSorted((a, b) => daysBetween(a.end, b.end))
}

const isAtHome = ({ isNear, isCompany, hasEmail }: Stay) => isNear && !isCompany && hasEmail
const ofType = (houses: readonly House[], type: string, most: number) =>
  houses.filter((house) => house.type === type).slice(0, most)

/** For each city, the hotel with the most stays, in descending order of stays. */
function favourites(houses: readonly House[], stays: readonly Stay[]): House[] {
  const counts = Map.groupBy(stays, ({ hotel }) => hotel)
  const countOf = ({ id }: House) => counts.get(id)?.length ?? 0
  const hotels = houses.filter(({ type }) => type === 'hotel').toSorted((a, b) => countOf(b) - countOf(a))
  const isFirst = (hotel: House) => hotels.find(({ city }) => city === hotel.city) === hotel
  return hotels.filter(isFirst).slice(0, FAVOURITE_HOTELS)
}

/** The stay in one of these hotels that ended nearest to a day, where one did. */
function stayUntil(day: string, stays: readonly Stay[], hotels: readonly House[]): Journey | undefined {
  const known = new Set(hotels.map(({ id }) => id))
  const away = ({ last }: Stay) => Math.abs(daysBetween(last, day))
  return stays.filter((stay) => known.has(stay.hotel) && away(stay) <= ABOUT).toSorted((a, b) => away(a) - away(b))[0]
}

/** The first of those where the fewest were. */
const rarest = (visits: ReadonlyMap<string, number>): string =>
  [...visits].reduce((least, one) => (one[1] < least[1] ? one : least))[0]

/** A trip without a booking. */
const byHand = (random: Random, last: string, stays: readonly Stay[], hotel: string): Journey => ({
  ...random.pick(stays),
  booking: null,
  first: dayAfter(last, -random.int(2, 8)),
  last,
  hotel,
})

type With = {
  readonly hotel: House
  readonly transfer: House | null
  readonly guide: House | null
  readonly advisor: string | null
}
function tripOf(random: Random, time: Timeline, journey: Journey, more: With): PastTrip {
  const { booking, customer, first, last, isCompany, isNear } = journey
  const { city } = more.hotel
  const id = randomUUIDv7()
  const language = isNear ? 'tr' : 'en'
  const length = daysBetween(first, last) < LONG ? 'short' : 'long'
  const { type, [language]: title } = random.pick(TRIP_TITLES[isCompany ? 'company' : length])
  const sold = dayAfter(first, -random.int(SOLD_BEFORE.least, SOLD_BEFORE.most))
  return {
    id,
    customer,
    booking,
    language,
    title: title(city),
    type,
    start: first,
    end: last,
    city,
    currency: PLACES.find((place) => place.city === city)?.currency ?? 'EUR',
    advisor: more.advisor,
    created_at: time.at(sold, clock(random.int(OPENS, CLOSES))),
    segments: segmentsOf(journey, language, more).map((segment) => ({ id: randomUUIDv7(), trip: id, ...segment })),
  }
}

/** Segments written by hand, including the hotel if no booking has it. */
function segmentsOf({ booking, first, last }: Journey, language: 'en' | 'tr', { hotel, transfer, guide }: With) {
  const { transfer: arrival, tour } = SEGMENT_TITLES
  const second = dayAfter(first, 1)
  const segment = (type: 'lodging' | 'transfer' | 'tour', { id, name, city }: House, start: string, end: string) => ({
    type,
    title: type === 'lodging' ? name : (type === 'tour' ? tour : arrival)[language](city),
    place: type === 'lodging' ? name : null,
    supplier: id,
    start,
    end,
  })
  return [
    ...(transfer ? [segment('transfer', { ...transfer, city: hotel.city }, `${first}T13:30`, `${first}T14:15`)] : []),
    ...(booking === null ? [segment('lodging', hotel, `${first}T15:00`, `${last}T11:00`)] : []),
    ...(guide ? [segment('tour', { ...guide, city: hotel.city }, `${second}T09:30`, `${second}T13:00`)] : []),
  ]
}
