import { airport, cityOf } from '../../src/geography/airports.ts'

/** A flight of a ticket sale. Times are the local clock of the airport. */
export type Leg = Readonly<Record<string, string | null>>
type Travelling = { readonly entity: string; readonly legs?: readonly Leg[] | null } & Readonly<Record<string, unknown>>
type Travel = { readonly on: string | null; readonly to: string | null }

const text = (cell: unknown): string | null => (typeof cell === 'string' && cell !== '' ? cell : null)
const dayAt = (instant: unknown, zone: string): string | null => {
  const written = text(instant)
  return written && Temporal.Instant.from(written).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** Dates and destination of a booking: its last leg or its service; for a tour, its departure. */
export function travelOf(booking: Travelling, zone: string): Travel {
  const cell = (name: string) => text(booking[name])
  switch (booking.entity) {
    case 'tickets':
      return flown(booking.legs ?? [])
    case 'charters': {
      const { on, to } = flown(booking.legs ?? [])
      return { on: cell('starts_on') ?? on, to }
    }
    case 'transfers': {
      const known = airport(String(booking.flight_airport).toUpperCase())
      return { on: dayAt(booking.pickup_at, known?.timeZone ?? zone), to: cell('dropoff_location') }
    }
    case 'car_rentals':
      return { on: dayAt(booking.pickup_at, zone), to: cell('pickup_location') ?? cell('dropoff_location') }
    case 'visa_cases':
      return { on: cell('travel_on'), to: cell('destination_country') }
    case 'events':
      return {
        on: cell('starts_on'),
        to: [cell('city'), cell('country_code')].filter((part) => part !== null).join(', ') || null,
      }
    default:
      return { on: cell('check_in_on') ?? cell('embark_on'), to: null }
  }
}

/** The dates and the destination of the legs: of a round trip, the place of the longest stay. */
function flown(legs: readonly Leg[]): Travel {
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) return { on: null, to: null }
  const on = legs.map((leg) => leg.scheduled_departure ?? leg.scheduled_arrival).find(Boolean)
  const isRound = cityOf(String(first.departure_airport)) === cityOf(String(last.arrival_airport))
  const turn = isRound && legs.length > 1 ? longestStay(legs) : last
  return { on: on?.slice(0, 10) ?? null, to: placeOf(String(turn.arrival_airport)) }
}

/** The leg behind which the traveller stays longest; the middle one, where not all times are known. */
function longestStay(legs: readonly Leg[]): Leg {
  const stays = legs.slice(1).map((next, at) => {
    const leg = legs[at] as Leg
    const hours =
      leg.scheduled_arrival && next.scheduled_departure
        ? Temporal.PlainDateTime.from(leg.scheduled_arrival).until(next.scheduled_departure).total('hours')
        : null
    return { leg, hours }
  })
  const middle = stays[Math.floor((stays.length - 1) / 2)]
  const longest = stays.some(({ hours }) => hours === null)
    ? middle
    : stays.reduce((best, stay) => (Number(stay.hours) > Number(best.hours) ? stay : best))
  return (longest as { leg: Leg }).leg
}

function placeOf(code: string): string {
  const known = airport(code)
  return known ? `${known.city ?? known.name}, ${known.country}` : code
}

/** The way of the legs as reports write it. */
export const routeOf = (legs: readonly Leg[]): string | null =>
  [legs[0]?.departure_airport, ...legs.map((leg) => leg.arrival_airport)].filter(Boolean).join('-') || null
