import { NO_FARE, type TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import { unknownCollection, unreadableAmount } from '../warnings.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import type { SirenaEntry, SirenaNotes, SirenaSale } from './entries.ts'
import { exchangeOf, type GivenIn } from './exchanges.ts'
import { commissionOf, fareMarkOf, sirenaFareOf, sirenaRefundOf } from './fares.ts'
import { sirenaAirlineOf } from './flights.ts'
import { isVoidCoupon, sirenaDay } from './legs.ts'
import { otherNumber } from './numbers.ts'
import { sirenaPaymentOf } from './payment.ts'
import { servicesOf } from './services.ts'

/** `given` are the old tickets of the file's exchanges. */
export function sirenaDocumentOf(sale: SirenaSale, given: readonly SirenaEntry[], notes: SirenaNotes): TicketDocument {
  const { ticket, number, conjunctions, kind, operation } = sale
  const priced = sirenaFareOf(ticket)
  const { fare, spoilt } = priced
  const { base, equivalent, rate } = fare
  const issuedOn = sirenaDay(textAt(ticket, 'DEALDATE'))
  if (spoilt) notes.note(unreadableAmount(number))
  else if (operation !== 'void' && fare.total === null)
    notes.warn(
      'price_unknown',
      `The price of ${number} is not known: the file has no payment with an amount and a currency.`,
    )
  return {
    ...BLANK_DOCUMENT,
    number,
    kind,
    conjunctions,
    coupons: couponsOf(ticket),
    passenger: 0,
    airline: sirenaAirlineOf(sale),
    issuedOn,
    // In a refund only the fare is printed in two currencies.
    fare: operation === 'refund' ? { ...NO_FARE, base, equivalent, rate } : operation === 'void' ? NO_FARE : fare,
    fareCalculation: textAt(ticket, 'FARECALC'),
    fareMark: fareMarkOf(ticket),
    commission: operation === 'refund' ? null : commissionOf(ticket),
    formOfPayment: sirenaPaymentOf(ticket),
    tourCode: textAt(ticket, 'TOURCODE'),
    endorsement: printedText(withoutLikelyCards(textAt(ticket, 'ENDORS_RESTR') ?? '')),
    services: kind === 'ticket' ? [] : servicesOf(ticket),
    associatedWith: kind === 'ticket' ? null : otherNumber(ticket, 'TO_BSONUM'),
    exchange: operation === 'exchange' ? exchangeIn(sale, fare, given, notes) : null,
    refund: operation === 'refund' ? sirenaRefundOf(ticket, priced, sirenaDay(textAt(ticket, 'SALEDATE'))) : null,
  }
}

function couponsOf(ticket: TicketXmlElement): TicketDocument['coupons'] {
  return elements(ticket, 'SEGMENTS', 'SEGMENT').flatMap((segment) => {
    const number = Number(textAt(segment, 'COUPON_NO') ?? '')
    return isVoidCoupon(segment) && Number.isInteger(number) && number > 0 ? [{ number, status: 'VOID' }] : []
  })
}

/** The old ticket is named by the new one, or was given in beside it by the same passenger. */
function exchangeIn(
  sale: SirenaSale,
  fare: TicketDocument['fare'],
  given: readonly SirenaEntry[],
  { warn, note }: SirenaNotes,
) {
  const named = otherNumber(sale.ticket, 'EX_BSONUM')
  const name = textAt(sale.ticket, 'FIO')
  const beside = given.filter(({ ticket }) => name !== null && textAt(ticket, 'FIO') === name)
  const originals = named === null ? beside.map(({ number }) => number) : [named]
  const values = given.map(({ ticket, number }): GivenIn => ({ number, ...sirenaFareOf(ticket) }))
  const exchange = exchangeOf(originals, fare, values)
  if (originals.length === 0)
    warn(
      'exchanged_ticket',
      `The file does not name the ticket that was exchanged for ${sale.number}. Enter it by hand.`,
    )
  if (exchange.additionalCollection === null) note(unknownCollection(sale.number))
  return exchange
}
