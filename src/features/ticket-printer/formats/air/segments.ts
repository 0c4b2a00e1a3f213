import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { fullDay, movedDay, nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { type Air, field, type Line, linesOf } from './lines.ts'

/** The columns of a flight; where days have their year, they are four characters wider. */
const AIRLINE = [0, 6] as const
const FLIGHT = [6, 11] as const
const CABIN_CLASS = [11, 13] as const
const BOOKING_CLASS = [13, 15] as const
const TIMES = 15
const SHORT_DAY = 5
const LONG_DAY = 9
const TIME = 5
const SHORT_WIDTH = TIMES + 2 * SHORT_DAY + 2 * TIME
const MIDNIGHT = '2400'
/** Of arrival. Since version 207 the countries of departure and arrival stand before it. */
const TERMINAL = 20
const COUNTRY = 21
const TERMINAL_BEHIND_COUNTRIES = 22
/** Of an airline. */
const CODE = /^[A-Z0-9]{2,3}$/
/** Days that an arrival may be before its departure, across the date line. */
const DATE_LINE = 1

/** The ticketed flights in their order. Surface sectors are none, and segments that are not ticketed have another tag. */
export function readLegs(air: Air, reference: string, warn: Warn): TicketLeg[] {
  const flights = linesOf(air.common, 'H-').filter((line) => field(line, 5).trim() !== 'VOID')
  const fareBases = linesOf(air.common, 'M-').flatMap((line) => line.fields.map(fareBasisOf))
  const operating = operatingAirlines(air)
  return flights.flatMap((line, at) => {
    const leg = readLeg(line, reference, fareBases[at] ?? null, operating.get(placeOf(line)) ?? null)
    if (!leg) warn('segment', `Segment ${at + 1} has no airline or no airports and was left out. Enter it by hand.`)
    return leg ? [leg] : []
  })
}

/** A surface sector has none. What stands behind a stroke is the designator of a discount. */
const fareBasisOf = (printed: string): string | null => printedText(printed.split('/', 1)[0]?.replace(/\s+/g, ' '))

/** Tattoo and number, which the lines of one segment share. */
const placeOf = (line: Line): string => `${field(line, 0).slice(0, 3)} ${field(line, 1).slice(0, 3)}`

/** Who flies: by name in Y-, else the other flight number's airline in X-. */
function operatingAirlines(air: Air): ReadonlyMap<string, string> {
  const shared = linesOf(air.common, 'X-').map((line) => [placeOf(line), field(line, 5).slice(...AIRLINE)] as const)
  const named = linesOf(air.common, 'Y-').map((line) => [placeOf(line), field(line, 5)] as const)
  return new Map(
    [...shared, ...named].map(([at, code]) => [at, code.trim()] as const).filter(([, code]) => code !== ''),
  )
}

function readLeg(line: Line, reference: string, fareBasis: string | null, operating: string | null): TicketLeg | null {
  const flight = field(line, 5)
  const airline = flight.slice(...AIRLINE).trim()
  const from = field(line, 1).slice(4).trim()
  const to = field(line, 3).trim()
  if (!CODE.test(airline) || !from || !to) return null
  const number = flight.slice(...FLIGHT).trim()
  return {
    ...BLANK_LEG,
    airline,
    flight: number,
    operatingAirline: operating === airline ? null : operating,
    from,
    to,
    bookingClass: printedText(flight.slice(...BOOKING_CLASS)) ?? printedText(flight.slice(...CABIN_CLASS)),
    fareBasis,
    stopover: stopoverOf(field(line, 1)[3]),
    ...(number === 'OPEN' ? openSector(line) : flownSector(line, flight, reference)),
  }
}

function flownSector(line: Line, flight: string, reference: string) {
  const stops = field(line, 9).trim()
  return {
    ...timesOf(flight, reference),
    departureTerminal: printedText(field(line, 14)),
    arrivalTerminal: printedText(
      field(line, field(line, COUNTRY).trim() === '' ? TERMINAL : TERMINAL_BEHIND_COUNTRIES),
    ),
    status: statusOf(field(line, 6)),
    baggage: printedText(field(line, 13)),
    stops: /^\d{1,2}$/.test(stops) ? Number(stops) : null,
    equipment: printedText(field(line, 10)),
  }
}

/** An open sector has the day, if any, in a field of its own, and fewer fields behind it. */
const openSector = (line: Line) => ({ status: statusOf(field(line, 7)), baggage: printedText(field(line, 8)) })

/** `OK02`: the status and how many travel. */
const statusOf = (printed: string): string | null => printedText(printed.trim().slice(0, 2))

function stopoverOf(printed: string | undefined): boolean | null {
  if (printed === 'O') return true
  return printed === 'X' ? false : null
}

/** Day, departure, arrival and day of the arrival. */
function timesOf(flight: string, reference: string): Pick<TicketLeg, 'departure' | 'arrival'> {
  const width = flight.trimEnd().length > SHORT_WIDTH ? LONG_DAY : SHORT_DAY
  const cut = (from: number, length: number) => flight.slice(TIMES + from, TIMES + from + length)
  const left = dayOf(cut(0, width), reference)
  const arrived = left && dayOf(cut(width + 2 * TIME, width), left, DATE_LINE)
  const arrival = cut(width + TIME, TIME).trim()
  // Midnight is printed as 2400, mostly of the day that it begins.
  const right = arrival === MIDNIGHT && arrived === left && left ? movedDay(left, 1) : arrived
  return { departure: at(left, cut(width, TIME)), arrival: at(right, arrival.replace(MIDNIGHT, '0000')) }
}

const dayOf = (printed: string, reference: string, tolerance?: number): string | null =>
  fullDay(printed, reference) ?? nextDay(printed, reference, tolerance)

function at(day: string | null, printed: string): string | null {
  const time = printedClock(printed)
  return day && time ? `${day}T${time}` : null
}
