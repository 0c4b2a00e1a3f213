import { fixed } from '../../../../platform/money.ts'
import type { FileWarning, TicketDocument } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import { descendants, element, type TicketXmlElement } from '../xml/parse-xml.ts'
import { moneyInElement, totalIn } from './amounts.ts'
import { amountOf } from './assigned-prices.ts'
import type { OrderPrice } from './prices.ts'

/**
 * The parts of the order's price without a document: a seat or bag without an EMD is in no document's price and would
 * be missing from the sale.
 */
export function unticketedServices(
  prices: readonly OrderPrice[],
  assigned: ReadonlySet<OrderPrice>,
  nameOf: (passenger: string) => string,
): readonly FileWarning[] {
  return prices
    .filter((price) => !assigned.has(price) && fixed(price.fare.total?.amount ?? '0') > 0n)
    .map(({ passengers, services, fare }) => {
      const what = services.flatMap(({ name }) => name ?? []).join(', ') || 'a service'
      const whom = passengers.map(nameOf).join(', ')
      return {
        code: 'unticketed_service',
        message: `The order contains ${what} of ${amountOf(fare)} for ${whom}, for which it lists no document. The sale does not include it. Add it by hand.`,
      }
    })
}

/** A warning with the paid amount, the only amount of an order without prices. */
export function paidAmount(message: TicketXmlElement): readonly FileWarning[] {
  const payments = ['PaymentProcessingSummary', 'PaymentInfo', 'Payment'].flatMap((name) => descendants(message, name))
  const paid = sumOf(payments.map((payment) => moneyInElement(element(payment, 'Amount'))))
  if (paid === null) return []
  return [
    {
      code: 'payment_amount',
      message: `The order was paid with ${paid.currency} ${paid.amount} in all. Check that the prices add up to it.`,
    },
  ]
}

/** Warns if the documents do not add up to the total of the order. */
export function orderTotal(response: TicketXmlElement, documents: readonly TicketDocument[]): readonly FileWarning[] {
  const order = element(response, 'Order')
  const printed =
    order && (element(order, 'TotalPrice') ?? element(order, 'TotalOrderPrice') ?? element(order, 'TotalAmount'))
  const total = totalIn(printed)
  const sum = sumOf(documents.map(({ fare }) => fare.total))
  if (!total || sum === null || sum.currency !== total.currency || fixed(sum.amount) === fixed(total.amount)) return []
  const message = `The documents add up to ${sum.currency} ${sum.amount}, but the order to ${total.currency} ${total.amount}. Check the prices.`
  return [{ code: 'order_total', message }]
}
