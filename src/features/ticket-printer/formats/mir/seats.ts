import type { Passenger } from '../../ticket-file.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { placesOf } from './places.ts'

const GALILEO = { segment: [3, 2], passenger: [5, 2], row: [8, 4], status: [12, 2] } as const
const APOLLO = { segment: [3, 2] } as const
/** Behind the segment, Apollo prints a seat and an indicator for each passenger, in order. */
const APOLLO_SEATS = /(.{3})[NYU ]/gy
const APOLLO_SEATS_AT = 5
const ROW = /^0*([1-9]\d{0,2}[A-Z])$/
/** Statuses of confirmed seats. A seat that is pending or refused does not count. */
const CONFIRMED = ['HK', 'KK', '']

type Seats = Passenger['seats']

/** The confirmed seats of each passenger on the flights with these segment numbers. */
export function seatsOf(mir: Mir, passengers: number, segments: readonly string[]): (passenger: number) => Seats {
  const printed = [...seatsOfGalileo(mir, passengers), ...seatsOfApollo(mir)]
  return (passenger) =>
    printed.flatMap((each) => {
      const leg = segments.indexOf(each.segment)
      return each.passenger === passenger && leg >= 0 ? [{ leg, seat: each.seat }] : []
    })
}

type PrintedSeat = { readonly passenger: number | undefined; readonly segment: string; readonly seat: string }

function seatsOfGalileo(mir: Mir, passengers: number): PrintedSeat[] {
  const lines = mir.items('A22').map(({ line }) => cutLine(line, GALILEO))
  if (lines.length === 0) return []
  const placeOf = placesOf(
    mir,
    passengers,
    lines.map(({ passenger }) => Number(passenger)),
  )
  return lines.flatMap(({ segment, passenger, row, status }) => {
    const seat = ROW.exec(row)?.[1]
    return seat && CONFIRMED.includes(status) ? [{ passenger: placeOf(Number(passenger)), segment, seat }] : []
  })
}

const seatsOfApollo = (mir: Mir): PrintedSeat[] =>
  mir.items('A06').flatMap(({ line }) =>
    [...line.slice(APOLLO_SEATS_AT).matchAll(APOLLO_SEATS)].flatMap(([, printed = ''], passenger) => {
      const seat = ROW.exec(printed.trim())?.[1]
      return seat ? [{ passenger, segment: cutLine(line, APOLLO).segment, seat }] : []
    }),
  )
