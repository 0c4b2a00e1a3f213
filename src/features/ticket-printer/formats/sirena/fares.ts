import {
  type Commission,
  type Fare,
  NO_FARE,
  type PrintedMoney,
  type Refund,
  type Tax,
  type TicketDocument,
} from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { moneyOf, printedRate } from '../printed.ts'
import { more, sumOf } from '../sums.ts'
import { element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { currencyCode } from './cyrillic-codes.ts'
import { isVoidCoupon } from './legs.ts'

/** The price of a document; `spoilt` if a printed amount cannot be parsed. */
export type SirenaFare = { readonly fare: Fare; readonly spoilt: boolean }
type Amount = { readonly money: PrintedMoney | null; readonly spoilt: boolean }

const NOTHING: Amount = { money: null, spoilt: false }
const FARE_MARKS: Readonly<Record<string, TicketDocument['fareMark']>> = { IT: 'inclusive_tour', BT: 'bulk' }

/** The currency in an element of the ticket. */
const currencyAt = (from: TicketXmlElement, name: string): string | undefined =>
  currencyCode(textAt(from, name)) ?? undefined

/**
 * Version 2 prints the fare of the ticket; version 1 that of each flight, or of the first of several flights with one
 * fare.
 */
export function sirenaFareOf(ticket: TicketXmlElement): SirenaFare {
  const currency = currencyAt(ticket, 'CURRENCY')
  const sold = ownOr(ticket, { own: 'FARE', inFlights: 'FARE', currencies: [currency, currency] })
  const filed = ownOr(ticket, {
    own: 'OFARE',
    inFlights: 'NFARE',
    currencies: [currencyAt(ticket, 'OCURRENCY'), currencyAt(ticket, 'NCURRENCY')],
  })
  const taxes = elements(ticket, 'TAXES', 'TAX').map((tax) => taxOf(tax, currency))
  const payments = elements(ticket, 'FOPS', 'FOP').map((payment) => amountAt(payment, 'AMOUNT', currency))
  const isInAnother = filed.money !== null && sold.money !== null && filed.money.currency !== sold.money.currency
  const rate = textAt(ticket, element(ticket, 'OFARE')?.text ? 'OPRATE' : 'NRATE')
  return {
    fare: {
      ...NO_FARE,
      base: isInAnother ? filed.money : sold.money,
      equivalent: isInAnother ? sold.money : null,
      rate: isInAnother ? printedRate(rate) : null,
      taxes: taxes.flatMap(({ tax }) => tax ?? []),
      total: sumOf(payments.filter(({ money, spoilt }) => money || spoilt).map(({ money }) => money)),
    },
    spoilt: [sold, filed, ...taxes, ...payments].some(({ spoilt }) => spoilt),
  }
}

/** The amount of the ticket, otherwise the sum over its flights. */
function ownOr(
  ticket: TicketXmlElement,
  { own, inFlights, currencies }: { own: string; inFlights: string; currencies: readonly (string | undefined)[] },
): Amount {
  const total = amountAt(ticket, own, currencies[0])
  if (total.money || total.spoilt) return total
  const flights = elements(ticket, 'SEGMENTS', 'SEGMENT').filter((segment) => !isVoidCoupon(segment))
  const printed = flights
    .map((segment) => amountAt(segment, inFlights, currencies[1]))
    .filter(({ money, spoilt }) => money || spoilt)
  return { money: sumOf(printed.map(({ money }) => money)), spoilt: printed.some(({ spoilt }) => spoilt) }
}

function amountAt(from: TicketXmlElement, name: string, currency: string | undefined): Amount {
  const printed = textAt(from, name)
  if (printed === null) return NOTHING
  const money = moneyOf(currency, printed)
  return { money, spoilt: money === null }
}

function taxOf(tax: TicketXmlElement, currency: string | undefined): { tax: Tax | null; spoilt: boolean } {
  const { money, spoilt } = amountAt(tax, 'AMOUNT', currency)
  return { tax: money && { ...money, code: textAt(tax, 'CODE') ?? 'XT', nature: null }, spoilt }
}

/** The refunded amount: the payments of a refund. The difference to fare and taxes was kept. */
export function sirenaRefundOf(
  ticket: TicketXmlElement,
  { fare, spoilt }: SirenaFare,
  originallyIssuedOn: string | null,
): Refund {
  const { taxes, total } = fare
  const refundable = fare.equivalent ?? fare.base
  const printed = amountAt(ticket, 'PENALTY', currencyAt(ticket, 'CURRENCY')).money
  const penalty = printed ?? (spoilt ? null : keptOf(refundable, taxes, total))
  return { ...BLANK_REFUND, refundable, penalty, taxes, total, originallyIssuedOn }
}

function keptOf(
  refundable: PrintedMoney | null,
  taxes: readonly Tax[],
  total: PrintedMoney | null,
): PrintedMoney | null {
  const paid = sumOf([refundable, ...taxes])
  return paid && total && more(paid, total)
}

/**
 * The misspelt name of the element is Sirena's. A rate applies to the fare; an amount is in the currency of the sale.
 */
export function commissionOf(ticket: TicketXmlElement): Commission | null {
  const { amount, currency, rate } = element(ticket, 'COMISSION')?.attributes ?? {}
  const sale = currencyAt(ticket, 'CURRENCY')
  const money = moneyOf(currencyCode(currency ?? null) ?? sale, amount)
  const commission = { rate: printedRate(rate), amount: money?.currency === sale ? (money?.amount ?? null) : null }
  return commission.rate === null && commission.amount === null ? null : commission
}

export const fareMarkOf = (ticket: TicketXmlElement): TicketDocument['fareMark'] =>
  FARE_MARKS[element(ticket, 'FARE')?.attributes.type ?? ''] ?? null
