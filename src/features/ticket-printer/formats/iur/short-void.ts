import { type TicketFile, Unreadable } from '../../ticket-file.ts'
import { clock, lastDay } from '../days.ts'
import { followingNumbers, text } from '../printed.ts'
import { cut, HEADER, SHORT_VOID } from './columns.ts'
import { airlineFor, printedNumber } from './numbers.ts'
import { BLANK, ZONE } from './reading.ts'

const EMD = 'C'
/** A void names nobody. */
const NOBODY = {
  lastName: '',
  firstName: '',
  title: null,
  type: 'adult',
  ptc: null,
  dateOfBirth: null,
  frequentFlyer: null,
} as const

/** A void in one line, of type 5 or, for an EMD, C: the document, how many numbers it has, and the reservation. */
export function readShortVoid(header: string, type: string, today: string): TicketFile | Unreadable {
  const warnings: { code: string; message: string }[] = []
  const { madeDay, madeTime, version, customerNumber } = cut(header, HEADER)
  const { airlineNumber, serial, checkDigit, tickets, pnr } = cut(header, SHORT_VOID)
  const number = printedNumber(airlineNumber, serial, checkDigit, (code, message) => warnings.push({ code, message }))
  if (number === null) return new Unreadable('The file voids a document whose number of 13 digits cannot be read.')
  const [airline, day] = [airlineFor('', number), lastDay(madeDay, today)]
  const further = /^\d{1,2}$/.test(tickets) ? Number(tickets) - 1 : 0
  return {
    ...NOTHING_ELSE,
    version: text(version),
    made: day === null ? null : { day, time: clock(madeTime), zone: ZONE },
    pnr: text(pnr),
    clientAccount: text(customerNumber),
    validatingAirline: { code: airline, numeric: airlineNumber, name: null },
    passengers: [NOBODY],
    documents: [
      {
        ...BLANK,
        number,
        kind: type === EMD ? 'emd' : 'ticket',
        conjunctions: followingNumbers(number, further),
        passenger: 0,
        airline,
      },
    ],
    warnings,
  }
}

const NOTHING_ELSE = {
  provider: 'sabre',
  format: 'iur',
  action: 'void',
  training: false,
  part: null,
  airlineLocators: [],
  bookingOffice: null,
  ticketingOffice: null,
  bookingAgent: null,
  ticketingAgent: null,
  iataNumber: null,
  issuedOn: null,
  ticketingDeadline: null,
  bsp: false,
  legs: [],
} as const
