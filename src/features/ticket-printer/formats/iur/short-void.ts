import { type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE, BLANK_PASSENGER } from '../blank.ts'
import { lastDay, printedClock } from '../days.ts'
import { followingNumbers, printedText } from '../printed.ts'
import { collectWarnings } from '../warnings.ts'
import { cutRecord, HEADER, SHORT_VOID } from './columns.ts'
import { airlineFor, printedNumber } from './numbers.ts'
import { ZONE } from './reading.ts'

const EMD = 'C'
/** A void has no passenger name. */
const NOBODY = { ...BLANK_PASSENGER, lastName: '', firstName: '' }

/** A one-line void, of type 5 or, for an EMD, C: the document, the count of its numbers, and the reservation. */
export function readShortVoid(header: string, type: string, today: string): TicketFile | Unreadable {
  const { warn, warnings } = collectWarnings()
  const { madeDay, madeTime, version, customerNumber } = cutRecord(header, HEADER)
  const { airlineNumber, serial, checkDigit, tickets, pnr } = cutRecord(header, SHORT_VOID)
  const number = printedNumber(airlineNumber, serial, checkDigit, warn)
  if (number === null)
    return new Unreadable('The file voids a document, but its 13-digit number cannot be read.', 'no_document')
  const [airline, day] = [airlineFor('', number), lastDay(madeDay, today)]
  const further = /^\d{1,2}$/.test(tickets) ? Number(tickets) - 1 : 0
  return {
    ...BLANK_FILE,
    provider: 'sabre',
    format: 'iur',
    action: 'void',
    version: printedText(version),
    made: day === null ? null : { day, time: printedClock(madeTime), zone: ZONE },
    pnr: printedText(pnr),
    clientAccount: printedText(customerNumber),
    validatingAirline: { code: airline, numeric: airlineNumber, name: null },
    passengers: [NOBODY],
    documents: [
      {
        ...BLANK_DOCUMENT,
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
