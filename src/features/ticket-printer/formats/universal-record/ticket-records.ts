import type { TicketDocument } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { element, elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import { exchangeInto } from './exchanges.ts'
import { exchangedIn, numbersIn, type StatedDocument, startDocument, statusOf, type UniversalAnswer } from './listed.ts'
import { formOfPaymentFor, onlyPayment, paymentsFor } from './payment.ts'
import { printedCommission, universalPrice } from './prices.ts'
import { endorsementOf, tourCodeOf } from './restrictions.ts'

/** The documents of electronic ticket records (`ETR`), with their coupons. */
export const recordedDocuments = (
  records: readonly TicketXmlElement[],
  answer: UniversalAnswer,
): readonly StatedDocument[] => records.flatMap((record) => recorded(record, answer) ?? [])

function recorded(record: TicketXmlElement, answer: UniversalAnswer): StatedDocument | null {
  const tickets = elements(record, 'Ticket')
  const [ticket] = tickets
  const traveller = element(record, 'BookingTraveler')
  const name = traveller && element(traveller, 'BookingTravelerName')
  const started = startDocument(answer, {
    number: ticket?.attributes.TicketNumber,
    kind: 'ticket',
    traveller: traveller?.attributes.Key,
    name,
  })
  if (!ticket || !started) return null
  const pricing = element(record, 'AirPricingInfo')
  const payments = paymentsFor(record, pricing)
  const priced = universalPrice(started.number, { record, pricing, paid: onlyPayment(payments) }, answer.warn)
  const coupons = couponsOf(tickets)
  const document: TicketDocument = {
    ...started,
    conjunctions: numbersIn(tickets.slice(1), 'TicketNumber'),
    coupons,
    airline: record.attributes.PlatingCarrier ?? started.airline,
    issuedOn: printedDay(record.attributes.IssuedDate ?? null),
    ...priced,
    commission: printedCommission(
      element(record, 'Commission') ?? element(ticket, 'Commission'),
      priced.fare.total?.currency,
    ),
    formOfPayment: formOfPaymentFor(record, payments),
    tourCode: tourCodeOf(record, ticket, pricing),
    endorsement: endorsementOf(record, pricing),
    exchange: exchangeInto(exchangedIn(ticket), answer, started.number),
  }
  return { status: recordStatus(ticket, coupons), document }
}

/** Coupons count on through conjunctions: the fifth coupon is the first of the second ticket. */
const COUPONS_OF_A_TICKET = 4

const couponsOf = (tickets: readonly TicketXmlElement[]): TicketDocument['coupons'] =>
  tickets.flatMap((ticket, at) =>
    elements(ticket, 'Coupon').flatMap(({ attributes: { CouponNumber = '', Status } }) =>
      /^[1-4]$/.test(CouponNumber) && Status
        ? [{ number: at * COUPONS_OF_A_TICKET + Number(CouponNumber), status: Status }]
        : [],
    ),
  )

/** A ticket is void, refunded or exchanged by its own status, or if all its coupons are. */
function recordStatus(ticket: TicketXmlElement, coupons: TicketDocument['coupons']): StatedDocument['status'] {
  const own = statusOf(ticket.attributes.TicketStatus)
  const [status, ...others] = new Set(coupons.map((coupon) => statusOf(coupon.status)))
  return own === 'issued' && status !== undefined && others.length === 0 ? status : own
}
