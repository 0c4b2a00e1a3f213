import { isDate } from '../../../../platform/time.ts'
import type { TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedClock } from '../days.ts'
import { element, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { airlineCode, placeCode } from './cyrillic-codes.ts'

/** A coupon without a flight, which only completes a form. */
export const isVoidCoupon = (segment: TicketXmlElement): boolean => textAt(segment, 'IS_VOID') === 'T'

/** The day of `DDMMYYYY`. */
export function sirenaDay(printed: string | null): string | null {
  const day = printed?.replace(/^(\d{2})(\d{2})(\d{4})$/, '$3-$2-$1') ?? ''
  return isDate(day) ? day : null
}

/** The flight of a coupon; or its name in the file if its airline or an airport has no IATA code. */
export function legOf(segment: TicketXmlElement): TicketLeg | { readonly unknown: string } {
  const [airline, flight] = [airlineCode(textAt(segment, 'CARRIER')) ?? '', textAt(segment, 'REIS') ?? '']
  const [from, to] = [placeOf(segment, 1), placeOf(segment, 2)]
  const named = /^[A-Z\d]{2}$/.test(airline) && [from, to].every((code) => /^[A-Z]{3}$/.test(code)) && flight !== ''
  if (!named) return { unknown: `${airline} ${flight} ${from}-${to}`.trim() }
  return {
    ...BLANK_LEG,
    airline,
    flight,
    from,
    to,
    departure: timeOf(textAt(segment, 'FLYDATE'), textAt(segment, 'FLYTIME')),
    arrival: timeOf(textAt(segment, 'ARRDATE'), textAt(segment, 'ARRTIME')),
    departureTerminal: textAt(segment, 'TERM1'),
    arrivalTerminal: textAt(segment, 'TERM2'),
    bookingClass: textAt(segment, 'CLASS'),
    fareBasis: textAt(segment, 'BASICFARE'),
    baggage: baggageOf(segment),
    stopover: textAt(segment, 'STPO') === '0' ? true : null,
  }
}

const placeOf = (segment: TicketXmlElement, end: 1 | 2): string =>
  placeCode(textAt(segment, `PORT${end}CODE`) ?? textAt(segment, `CITY${end}CODE`)) ?? ''

/** `20K` for 20 kilograms, `1PC` for one piece. */
function baggageOf(segment: TicketXmlElement): string | null {
  const { number, qualifier = '' } = element(segment, 'BAGGAGE')?.attributes ?? {}
  return number ? `${number}${qualifier}` : textAt(segment, 'BAGGAGE')
}

function timeOf(date: string | null, time: string | null): string | null {
  const [day, hour] = [sirenaDay(date), printedClock(time ?? '')]
  return day !== null && hour !== null ? `${day}T${hour}` : null
}
