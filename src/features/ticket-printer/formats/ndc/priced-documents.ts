import { airlineOfNumber } from '../../airline-numbers.ts'
import type { FileWarning, PrintedMoney, TicketDocument, TicketService } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { printedDay } from '../iso-times.ts'
import { followingNumbers } from '../printed.ts'
import { unknownCollection, unreadableAmount } from '../warnings.ts'
import { element, type TicketXmlElement } from '../xml/parse-xml.ts'
import { type Assigned, assignedPrice } from './assigned-prices.ts'
import { commissionIn } from './commission.ts'
import { servicesOfCoupons, statusesOf } from './coupons.ts'
import type { ListedDocument } from './documents.ts'
import { exchangedFor } from './exchanged.ts'
import type { Heading } from './messages.ts'
import type { Owned } from './passengers-of-documents.ts'
import { formOfPaymentOf } from './payment.ts'
import { airlineIn, type OrderPrice } from './prices.ts'
import { orderTotal, paidAmount, paidWarning, unticketedServices } from './unticketed.ts'

/** The valid documents of an order, with their prices. */
export function pricedDocuments(
  message: TicketXmlElement,
  response: TicketXmlElement,
  owned: Owned,
  prices: readonly OrderPrice[],
  { timestamp }: Heading,
  owner: string | null,
): { documents: TicketDocument[]; paid: PrintedMoney | null; warnings: FileWarning[] } {
  const good = owned.documents.filter(({ spent }) => spent === null)
  const assigned = new Map(good.map((document) => [document, assignedPrice(document, good, prices)] as const))
  const shared = {
    formOfPayment: formOfPaymentOf(message),
    commission: commissionIn(response) ?? commissionIn(element(response, 'Order')),
  }
  const documents = [...assigned].map(([listed, price]): TicketDocument => {
    const airline = airlineIn(listed.issuer) ?? price.owner ?? owner ?? airlineOfNumber(listed.number)
    const { commission, formOfPayment } = shared
    return {
      ...BLANK_DOCUMENT,
      number: listed.number,
      kind: listed.kind,
      passenger: owned.ids.indexOf(listed.passenger ?? ''),
      conjunctions: followingNumbers(listed.number, listed.books - 1),
      coupons: statusesOf(listed.coupons),
      airline,
      issuedOn: listed.issuedOn ?? printedDay(timestamp),
      fare: price.fare,
      fareCalculation: listed.kind === 'ticket' ? price.fareCalculation : null,
      tourCode: price.tourCode,
      // An amount applies to the whole order, a percentage to every document.
      commission: listed.commission ?? (commission && good.length > 1 ? { ...commission, amount: null } : commission),
      formOfPayment,
      endorsement: listed.endorsement,
      services: servicesOf(listed, price),
      associatedWith: listed.associatedWith,
      exchange: exchangedFor(listed, owned.documents),
    }
  })
  const problems = [
    ...owned.documents.filter(({ spent }) => spent !== null).map(spentDocument),
    ...[...assigned].flatMap(([{ number }, price]) => priceWarnings(number, price)),
    ...(good.length > 0 ? servicesWithout(prices, [...assigned.values()], owned) : []),
  ]
  const paid = problems.some(({ code }) => code === 'price_unknown') ? paidAmount(message) : null
  const only = owned.documents.length === 1 && prices.length === 0 ? (documents[0] ?? null) : null
  return {
    documents: paid && only ? [{ ...only, fare: { ...only.fare, total: paid } }] : documents,
    paid: documents.length > 1 && prices.length === 0 ? paid : null,
    warnings: [
      ...problems,
      ...(paid ? [paidWarning(paid, only)] : []),
      ...(problems.length === 0 ? orderTotal(response, documents) : []),
      ...documents.filter(({ exchange }) => exchange).map(({ number }) => unknownCollection(number)),
    ],
  }
}

const spentDocument = ({ number }: ListedDocument): FileWarning => ({
  code: 'spent_document',
  message: `The coupons of ${number} are void, refunded or exchanged. The document was left out.`,
})

const priceWarnings = (number: string, { problem, spoilt }: Assigned): readonly FileWarning[] => [
  ...(problem ? [{ code: 'price_unknown', message: `The price of ${number} is not known: ${problem}.` }] : []),
  ...(spoilt ? [unreadableAmount(number)] : []),
]

function servicesWithout(prices: readonly OrderPrice[], assigned: readonly Assigned[], { ids, passengers }: Owned) {
  const nameOf = (id: string): string => {
    const { firstName = '', lastName = '' } = passengers[ids.indexOf(id)] ?? {}
    return `${firstName} ${lastName}`.trim() || id
  }
  return unticketedServices(prices, new Set(assigned.flatMap((each) => each.prices)), nameOf)
}

/** The reasons of the coupons, with the names of the sold services; without coupons, the services alone. */
function servicesOf({ kind, coupons }: ListedDocument, { services }: Assigned): readonly TicketService[] {
  if (kind === 'ticket') return []
  const own = servicesOfCoupons(coupons)
  const sold = services.map(({ name, rfic, rfisc }, at) => ({
    coupon: at + 1,
    rfic,
    rfisc,
    text: name,
    from: null,
    to: null,
  }))
  if (own.length === 0) return sold
  return own.map((coupon, at) => ({ ...coupon, text: coupon.text ?? sold[at]?.text ?? null }))
}
