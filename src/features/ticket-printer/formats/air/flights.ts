import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { fullDay, movedDay, nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import { field, type Line } from './lines.ts'

/** The columns of a flight; if days have their year, they are four characters wider. */
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
/**
 * The field of the arrival terminal. Since version 207 the countries of departure and arrival precede it, and segments
 * without a ticket have two more fields before all of these.
 */
const TERMINAL = 20
const COUNTRY = 21
const TERMINAL_BEHIND_COUNTRIES = 22
const UNTICKETED_SHIFT = 2
/** An airline code. */
const CODE = /^[A-Z0-9]{2,3}$/
/** An airport code; some systems print more behind it. */
const AIRPORT = /^([A-Z]{3})[A-Z0-9]{0,2}$/
/** The number of a segment, whether the itinerary stops over or connects there, and the airport of departure. */
const PLACE = /^(\d{3})([OX])([A-Z]{3})/
/** Days by which an arrival can precede its departure, across the date line. */
const DATE_LINE = 1

/** Data about a segment from other lines. */
export type Beside = Pick<TicketLeg, 'fareBasis' | 'operatingAirline'>

/** The number of a segment in the reservation. */
export const segmentNumberOf = (line: Line): number => Number(PLACE.exec(field(line, 1))?.[1] ?? Number.NaN)

/** A flight of H-, or of U- if it has no ticket; null if it cannot be parsed. */
export function airFlightOf(line: Line, reference: string, beside: Beside, isTicketed: boolean): TicketLeg | null {
  const flight = field(line, 5)
  const airline = flight.slice(...AIRLINE).trim()
  const from = airportOf(field(line, 1).slice(4))
  const to = airportOf(field(line, 3))
  if (!CODE.test(airline) || !from || !to) return null
  const number = flight.slice(...FLIGHT).trim()
  return {
    ...BLANK_LEG,
    airline,
    flight: number,
    operatingAirline: beside.operatingAirline === airline ? null : beside.operatingAirline,
    from,
    to,
    bookingClass: printedText(flight.slice(...BOOKING_CLASS)) ?? printedText(flight.slice(...CABIN_CLASS)),
    fareBasis: beside.fareBasis,
    stopover: stopoverOf(field(line, 1)[3]),
    ...(number === 'OPEN' ? openSector(line) : flownSector(line, flight, reference, isTicketed)),
  }
}

const airportOf = (printed: string): string | null => AIRPORT.exec(printed.trim())?.[1] ?? printedText(printed)

function flownSector(line: Line, flight: string, reference: string, isTicketed: boolean) {
  const stops = field(line, 9).trim()
  const shift = isTicketed ? 0 : UNTICKETED_SHIFT
  const terminal = field(line, COUNTRY + shift).trim() === '' ? TERMINAL : TERMINAL_BEHIND_COUNTRIES
  return {
    ...timesOf(flight, reference),
    departureTerminal: printedText(field(line, 14)),
    arrivalTerminal: printedText(field(line, terminal + shift)),
    status: statusOf(field(line, 6)),
    baggage: printedText(field(line, 13)),
    stops: /^\d{1,2}$/.test(stops) ? Number(stops) : null,
    equipment: printedText(field(line, 10)),
  }
}

/** An open sector has its day, if any, in a separate field, and fewer fields behind it. */
const openSector = (line: Line) => ({ status: statusOf(field(line, 7)), baggage: printedText(field(line, 8)) })

/** `OK02`: the status and the number of travellers. */
const statusOf = (printed: string): string | null => printedText(printed.trim().slice(0, 2))

function stopoverOf(printed: string | undefined): boolean | null {
  if (printed === 'O') return true
  return printed === 'X' ? false : null
}

/** Day, departure, arrival and day of arrival. */
function timesOf(flight: string, reference: string): Pick<TicketLeg, 'departure' | 'arrival'> {
  const width = flight.trimEnd().length > SHORT_WIDTH ? LONG_DAY : SHORT_DAY
  const cut = (from: number, length: number) => flight.slice(TIMES + from, TIMES + from + length)
  const left = dayOf(cut(0, width), reference)
  const arrived = left && dayOf(cut(width + 2 * TIME, width), left, DATE_LINE)
  const arrival = cut(width + TIME, TIME).trim()
  // Midnight is printed as 2400, usually of the day that it begins.
  const right = arrival === MIDNIGHT && arrived === left && left ? movedDay(left, 1) : arrived
  return { departure: at(left, cut(width, TIME)), arrival: at(right, arrival.replace(MIDNIGHT, '0000')) }
}

const dayOf = (printed: string, reference: string, tolerance?: number): string | null =>
  fullDay(printed, reference) ?? nextDay(printed, reference, tolerance)

function at(day: string | null, printed: string): string | null {
  const time = printedClock(printed)
  return day && time ? `${day}T${time}` : null
}
