import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { fullDay, lastDay, movedDay, nextDay, printedClock } from '../days.ts'
import { printedText } from '../printed.ts'
import { COUPON, cutRecord, type RecordFields } from './columns.ts'
import { couponsOf } from './emd-coupons.ts'
import { type Flight, isLocator } from './flights.ts'
import { ticketMessages } from './numbers.ts'
import type { Reading } from './reading.ts'
import { iurRecords } from './records.ts'

type Coupon = RecordFields<typeof COUPON>

const TICKETED = '1'
const OPEN = 'OPEN'
/** Days between the dates of departure and arrival. */
const DAY_CHANGES: Readonly<Record<string, number>> = { '': 0, '0': 0, '1': 1, '2': 2, '3': 3, '4': -1, '5': -1 }

export type IurLegs = {
  readonly legs: readonly TicketLeg[]
  /** The seat lines of each flight. */
  readonly seats: readonly (readonly string[])[]
}

/**
 * The ticketed flights: those marked as ticketed, those that a service message links to one of the documents or to the
 * ticket of an EMD, and those that the coupons of EMDs name.
 */
export function iurLegs(
  { file, flights }: Pick<Reading, 'file' | 'flights'>,
  documents: ReadonlySet<string>,
  issuedOn: string,
): IurLegs {
  const coupons = Map.groupBy(
    iurRecords(file, 'M4').map(({ line }) => cutRecord(line, COUPON)),
    ({ flight }) => flight,
  )
  const messages = ticketMessages(file).filter(({ number }) => documents.has(number))
  const named = new Set(messages.map(({ sector }) => sector))
  const paidFor = new Set(iurRecords(file, 'MG').flatMap((record) => couponsOf(record).map(placeOf)))
  const flown = flights.filter(
    (flight) => flight.ticketed === TICKETED || named.has(sectorOf(flight)) || paidFor.has(placeOf(flight)),
  )
  return {
    legs: flown.map((flight) => legOf(flight, coupons.get(flight.item) ?? [], issuedOn)),
    seats: flown.map(({ seats, lines }) => lines.slice(0, Number(/^\d{1,2}$/.exec(seats)?.[0] ?? 0))),
  }
}

/** The route, flight and day by which a coupon of an EMD names a flight. */
const placeOf = ({ from, to, flight, day }: { from: string; to: string; flight: string; day: string }): string =>
  `${from}${to}${flight.replace(/^0+/, '')} ${day.slice(0, 5)}`

const sectorOf = ({ from, to, flight, bookingClass, day }: Flight): string =>
  from + to + flight.padStart(4, '0') + bookingClass + day

function legOf(flight: Flight, coupons: readonly Coupon[], issuedOn: string): TicketLeg {
  const isOpen = flight.flight === OPEN
  const { departure, arrival } = isOpen ? { departure: null, arrival: null } : timesOf(flight, issuedOn)
  const stopover = coupons.find((coupon) => coupon.stopover === 'O' || coupon.stopover === 'X')?.stopover
  return {
    ...BLANK_LEG,
    airline: flight.airline,
    flight: flight.flight,
    operatingAirline: flight.operatingAirline === flight.airline ? null : printedText(flight.operatingAirline),
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
    airlineLocator: isLocator(flight.locator) ? flight.locator : null,
    ...validOn(coupons, departure?.slice(0, 10) ?? null, issuedOn),
  }
}

/** The years of the first and last day of validity follow from the departure between them, or from the day of issue. */
function validOn(
  coupons: readonly Coupon[],
  day: string | null,
  issuedOn: string,
): Pick<TicketLeg, 'notValidBefore' | 'notValidAfter'> {
  const before = coupons.find(({ notValidBefore }) => notValidBefore !== '')?.notValidBefore ?? ''
  const after = coupons.find(({ notValidAfter }) => notValidAfter !== '')?.notValidAfter ?? ''
  return {
    notValidBefore: day ? lastDay(before, day, 0) : nextDay(before, issuedOn),
    notValidAfter: nextDay(after, day ?? issuedOn, 0),
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

/** `TERMINAL D - NORTH` is D, `AEROGARE 2 TERMINAL C` is 2C; a name without a single letter or number is unchanged. */
function terminalOf(printed: string): string | null {
  const [, building = '', terminal = ''] = /^(?:AEROGARE (\w{1,2}) )?TERMINAL (\w{1,3})\b/.exec(printed) ?? []
  return printedText(building + terminal) ?? printedText(printed.replace(/\s*\bTERMINAL\b\s*/, ' '))
}

function fareBasisOf({ fareBasis, longFareBasis, designator }: Coupon): string | null {
  const basis = printedText(fareBasis) ?? printedText(longFareBasis)
  return basis !== null && designator !== '' && !basis.includes('/') ? `${basis}/${designator}` : basis
}
