import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { COLUMNS, ROUTE, type TktLine } from './columns.ts'
import { tktDay } from './days.ts'

/** The flights of a route. The line has number and day of the first one, and no times. */
export function tktLegs(line: TktLine): readonly TicketLeg[] {
  const places = Array.from({ length: ROUTE.count }, (_, at) => line(ROUTE.from + at))
  const end = places.indexOf(null)
  const route = places.slice(0, end < 0 ? places.length : end).flatMap((place) => place ?? [])
  return route.slice(1).map((to, at) => ({
    ...BLANK_LEG,
    airline: (at === 0 && line(COLUMNS.carrier)) || '',
    flight: (at === 0 && line(COLUMNS.flight)) || '',
    from: route[at] ?? '',
    to,
    bookingClass: line(COLUMNS.bookingClass),
    fareBasis: at === 0 ? line(COLUMNS.fareBasis) : null,
    status: at === 0 ? line(COLUMNS.status) : null,
  }))
}

/** The parts of the itinerary that a user needs to enter the flights; null if the file has none. */
export function tktItinerary(line: TktLine): string | null {
  const legs = tktLegs(line)
  const [first] = legs
  if (!first) return null
  const route = [first.from, ...legs.map(({ to }) => to)].join('-')
  const day = tktDay(line(COLUMNS.departure))
  return [route, first.flight && `first flight ${first.flight}`, day && `on ${day}`].filter((part) => part).join(', ')
}
