import { airlineOfNumber } from '../../airline-numbers.ts'
import type { Exchange, FormOfPayment, Passenger, TicketDocument, TicketLeg } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_PASSENGER } from '../blank.ts'
import { printedDay } from '../iso-times.ts'
import { typeOfPassenger } from '../names.ts'
import { paidIn } from '../payments.ts'
import { type collectWarnings, unknownCollection, unreadableAmount } from '../warnings.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { couponStatuses, legOfCoupon } from './coupons.ts'
import { fareOfTicket, isFareSpoilt } from './fares.ts'

type Warnings = Pick<ReturnType<typeof collectWarnings>, 'warn' | 'note'>
export type PegasusTicket = {
  readonly printed: TicketXmlElement
  readonly document: TicketDocument
  readonly passenger: Passenger
  readonly legs: readonly TicketLeg[]
  /** The airline's three digits. */
  readonly numeric: string | null
}

const PAYMENTS: Readonly<Record<string, FormOfPayment['kind']>> = {
  INV: 'invoice',
  CA: 'cash',
  CASH: 'cash',
  CC: 'card',
}

/** A ticket as read; null where it is left out, of which a warning gives the reason. */
export function pegasusTicket(ticket: TicketXmlElement, { warn, note }: Warnings): PegasusTicket | null {
  const number = textAt(ticket, 'TICKET_NO') ?? ''
  const problem = problemOf(ticket, number)
  if (problem !== null) {
    warn('ticket_left_out', problem)
    return null
  }
  const reservation = textAt(ticket, 'PNR_STATUS')
  if (reservation !== null && reservation !== 'OK')
    warn('pnr_status', `The reservation of ${number} has the unknown status ${reservation}. Check the ticket.`)
  const numeric = numericOf(ticket, number)
  const exchange = exchangeOfTicket(ticket)
  const coupons = elements(ticket, 'COUPONS', 'COUPON')
  if (isFareSpoilt(ticket)) note(unreadableAmount(number))
  if (exchange) note(unknownCollection(number))
  return {
    printed: ticket,
    document: {
      ...BLANK_DOCUMENT,
      number,
      kind: 'ticket',
      passenger: 0,
      coupons: couponStatuses(coupons),
      airline: numeric && airlineOfNumber(numeric),
      issuedOn: printedDay(textAt(ticket, 'TICKET_DATE')),
      fare: fareOfTicket(ticket),
      formOfPayment: paymentOf(ticket),
      exchange,
    },
    passenger: passengerOf(ticket),
    legs: coupons.flatMap((coupon) => legOfCoupon(coupon, warn) ?? []),
    numeric,
  }
}

function problemOf(ticket: TicketXmlElement, number: string): string | null {
  const [status, type] = [textAt(ticket, 'TICKET_STATUS'), textAt(ticket, 'TICKET_TYPE')]
  if (!/^\d{13}$/.test(number)) return `"${number}" is not a 13-digit ticket number. The ticket was left out.`
  if (status !== 'OK') return `Ticket ${number} has the unknown status ${status}. It was left out.`
  return type === 'FLIGHT' ? null : `${number} has the unknown type ${type}. It was left out.`
}

function numericOf(ticket: TicketXmlElement, number: string): string | null {
  const printed = textAt(ticket, 'AIRLINE_CODE') ?? number.slice(0, 3)
  return /^\d{3}$/.test(printed) ? printed : null
}

function passengerOf(ticket: TicketXmlElement): Passenger {
  const ptc = textAt(ticket, 'PAX_TYPE')
  return {
    ...BLANK_PASSENGER,
    lastName: textAt(ticket, 'PAX_SURNAME') ?? '',
    firstName: textAt(ticket, 'PAX_NAME') ?? '',
    type: typeOfPassenger(ptc),
    ptc,
  }
}

function paymentOf(ticket: TicketXmlElement): FormOfPayment | null {
  const ways = elements(ticket, 'PAYMENT_TYPES', 'PAYMENT_TYPE').filter(({ text }) => text !== '')
  return paidIn(ways.map(({ text }) => ({ kind: PAYMENTS[text] ?? null, text })))
}

/** The file does not contain the cost of the exchange, only the price of the new ticket. */
function exchangeOfTicket(ticket: TicketXmlElement): Exchange | null {
  const number = textAt(ticket, 'EXCHANGE_FOR') ?? ''
  if (!/^\d{13}$/.test(number)) return null
  return {
    originals: [{ number, coupons: null }],
    additionalCollection: null,
    fareDifference: null,
    residual: null,
    penalty: null,
  }
}
