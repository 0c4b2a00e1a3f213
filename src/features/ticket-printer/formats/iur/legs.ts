import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { fullDay, movedDay, nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import { COUPON, cutRecord, FLIGHT, type RecordFields } from './columns.ts'
import { ticketMessages } from './numbers.ts'
import { type IurFile, type IurRecord, iurRecords } from './records.ts'

type Flight = RecordFields<typeof FLIGHT>
type Coupon = RecordFields<typeof COUPON>

const AIR = '1'
const TICKETED = '1'
const AIRPORT = /^[A-Z]{3}$/
const AIRLINE = /^(?=.*[A-Z])[A-Z\d]{2}$/
const OPEN = 'OPEN'
/** Days from the departure's to the arrival's. */
const DAY_CHANGES: Readonly<Record<string, number>> = { '': 0, '0': 0, '1': 1, '2': 2, '3': 3, '4': -1, '5': -1 }

/** Flights, without surface sectors and without the `**` that stands for a journey in a refund. */
const flightsOf = (file: IurFile): Flight[] =>
  iurRecords(file, 'M3')
    .map(({ line }: IurRecord) => cutRecord(line, FLIGHT))
    .filter(({ product, airline, from, to }) => product === AIR && [from, to].every(isAirport) && AIRLINE.test(airline))
const isAirport = (code: string): boolean => AIRPORT.test(code)

/** The last departure that is printed with its year; null is none. */
export const lastDeparture = (file: IurFile, today: string): string | null =>
  flightsOf(file)
    .map(({ day, year }) => fullDay(day + year, today))
    .filter((day) => day !== null)
    .sort()
    .at(-1) ?? null

/** The ticketed flights: those marked so, and those that a service message names beside one of the documents. */
export function iurLegs(file: IurFile, documents: ReadonlySet<string>, issuedOn: string): TicketLeg[] {
  const coupons = Map.groupBy(
    iurRecords(file, 'M4').map(({ line }) => cutRecord(line, COUPON)),
    ({ flight }) => flight,
  )
  const messages = ticketMessages(file).filter(({ number }) => documents.has(number))
  const named = new Set(messages.map(({ sector }) => sector))
  return flightsOf(file)
    .filter((flight) => flight.ticketed === TICKETED || named.has(sectorOf(flight)))
    .map((flight) => legOf(flight, coupons.get(flight.item) ?? [], issuedOn))
}

const sectorOf = ({ from, to, flight, bookingClass, day }: Flight): string =>
  from + to + flight.padStart(4, '0') + bookingClass + day

export const airlineLocators = (file: IurFile): { airline: string; locator: string }[] => {
  const printed = flightsOf(file).filter(({ locator }) => /^[A-Z\d]{5,8}$/.test(locator))
  const unique = new Map(printed.map(({ airline, locator }) => [airline + locator, { airline, locator }]))
  return [...unique.values()]
}

function legOf(flight: Flight, coupons: readonly Coupon[], issuedOn: string): TicketLeg {
  const isOpen = flight.flight === OPEN
  const { departure, arrival } = isOpen ? { departure: null, arrival: null } : timesOf(flight, issuedOn)
  const stopover = coupons.find((coupon) => coupon.stopover === 'O' || coupon.stopover === 'X')?.stopover
  return {
    ...BLANK_LEG,
    airline: flight.airline,
    flight: flight.flight,
    operatingAirline: printedText(flight.operatingAirline),
    from: flight.from,
    to: flight.to,
    departure,
    arrival,
    departureTerminal: terminalOf(flight.departureTerminal),
    arrivalTerminal: terminalOf(flight.arrivalTerminal),
    bookingClass: printedText(flight.bookingClass),
    fareBasis: coupons.map(fareBasisOf).find((basis) => basis !== null) ?? null,
    status: printedText(flight.status),
    baggage: printedText(coupons.find(({ baggage }) => baggage !== '')?.baggage),
    stops: /^\d$/.test(flight.stops) ? Number(flight.stops) : null,
    equipment: printedText(flight.equipment),
    stopover: stopover ? stopover === 'O' : null,
  }
}

function timesOf(flight: Flight, issuedOn: string): Pick<TicketLeg, 'departure' | 'arrival'> {
  const day = /^\d{4}$/.test(flight.year) ? fullDay(flight.day + flight.year, issuedOn) : nextDay(flight.day, issuedOn)
  const [departs, arrives, days] = [
    printedClock(flight.departs),
    printedClock(flight.arrives),
    DAY_CHANGES[flight.dayChange],
  ]
  return {
    departure: day && departs && `${day}T${departs}`,
    arrival: day && arrives && days !== undefined ? `${movedDay(day, days)}T${arrives}` : null,
  }
}

/** `TERMINAL D - NORTH` is D, `AEROGARE 2 TERMINAL C` is 2C; a name without a letter or number stays as it is. */
function terminalOf(printed: string): string | null {
  const [, building = '', terminal = ''] = /^(?:AEROGARE (\w{1,2}) )?TERMINAL (\w{1,3})\b/.exec(printed) ?? []
  return printedText(building + terminal) ?? printedText(printed.replace(/\s*\bTERMINAL\b\s*/, ' '))
}

function fareBasisOf({ fareBasis, longFareBasis, designator }: Coupon): string | null {
  const basis = printedText(fareBasis) ?? printedText(longFareBasis)
  return basis !== null && designator !== '' && !basis.includes('/') ? `${basis}/${designator}` : basis
}
