import { AIRLINES, AIRLINES_SOLD, type Airline, CABINS } from '../air-vocabulary.ts'
import type { Calendar } from '../pieces/calendar.ts'
import { type Row, withoutUndefined } from '../pieces/row.ts'
import { clock, distanceKm, later } from '../pieces/times.ts'
import type { Random } from '../random.ts'

export type Itinerary = {
  readonly airline: Airline
  readonly cabin: (typeof CABINS)[number]
  readonly legs: readonly Row[]
  /** The first and the last day of the trip, as days of the year. */
  readonly from: number
  readonly to: number
  readonly km: number
}
/** From one stay to the next, by one flight or two. */
type Way = readonly string[]

const FLIGHT_KM_PER_MINUTE = 13
const TAXI_MINUTES = 35

/** Flights of one airline from a day on: one way, return, or to several cities. */
export function makeItinerary(random: Random, day: Calendar, from: number): Itinerary {
  const sold = random.pick(AIRLINES_SOLD)
  const airline = AIRLINES.find(({ code }) => code === sold) as Airline
  const cabin = random.chance(0.86) ? CABINS[0] : random.pick(CABINS)
  const routes = makeRoutes(random, airline)
  const legs: Row[] = []
  let nth = from
  for (const [at, way] of routes.entries()) {
    if (at > 0) nth += random.int(2, 9)
    const start = `${day(nth)}T${clock(random.int(6 * 12, 21 * 12) * 5)}`
    legs.push(...fly(random, { airline, cabin, way, start, isLast: at === routes.length - 1 }))
  }
  const km = legs.reduce((sum, { departure_airport: a, arrival_airport: b }) => sum + distanceKm(`${a}`, `${b}`), 0)
  return { airline, cabin, legs, from, to: nth, km }
}

function makeRoutes(random: Random, airline: Airline): Way[] {
  const { hub } = airline
  const home = random.pick(airline.home)
  const far = random.pick(airline.far.filter((place) => place !== home))
  const other = random.pick(airline.far.filter((place) => place !== home && place !== far))
  const way = (from: string, to: string): Way => (from === hub || to === hub ? [from, to] : [from, hub, to])
  const shape = random.next()
  if (shape < 0.26) return [way(home, far)]
  if (shape < 0.8) return [way(home, far), way(far, home)]
  if (shape < 0.86) return [way(home, far), way(other, home)]
  if (shape < 0.93) return [way(home, far), way(far, home), way(home, other)]
  return [way(home, far), way(far, other), way(other, home)]
}

type Flying = { airline: Airline; cabin: Itinerary['cabin']; way: Way; start: string; isLast: boolean }
/** The flights of a way, with an hour or more to change in between. */
function fly(random: Random, { airline, cabin, way, start, isLast }: Flying): Row[] {
  const bookingClass = random.pick(cabin.classes)
  const fareBasis = `${bookingClass}${random.pick(['LRTTR', 'HOWTR', 'SRTEU', 'NRTTR', 'OWTR'])}`
  const baggage = baggageOf(random, airline, cabin.factor)
  const status = random.chance(0.2) ? 'HK' : undefined
  let departs = start
  return way.slice(1).map((to, at) => {
    const from = way[at] as string
    const minutes = Math.round((TAXI_MINUTES + distanceKm(from, to) / FLIGHT_KM_PER_MINUTE) / 5) * 5
    const arrives = later(departs, from, minutes, to)
    const leg = withoutUndefined({
      airline_code: airline.code,
      flight_number: flightNumber(from, to),
      departure_airport: from,
      arrival_airport: to,
      scheduled_departure: departs,
      scheduled_arrival: arrives,
      departure_terminal: from === 'LHR' ? '2' : undefined,
      arrival_terminal: to === 'LHR' ? '2' : undefined,
      booking_class: bookingClass,
      cabin: cabin.cabin,
      fare_basis: fareBasis,
      status,
      baggage,
      stopover: !isLast && at === way.length - 2 ? true : undefined,
    })
    departs = later(arrives, to, random.int(13, 48) * 5)
    return leg
  })
}

function baggageOf(random: Random, { lowCost }: Airline, factor: number): string {
  if (lowCost) return random.pick(['0PC', '20KG'])
  return factor > 2 ? '2PC' : random.pick(['1PC', '23KG', '30KG'])
}

/** The same flight has the same number on every ticket. */
function flightNumber(from: string, to: string): string {
  const mixed = [...`${from}${to}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 8999, 7)
  return `${101 + (mixed % 2899)}`
}
