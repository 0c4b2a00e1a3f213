import { fixed } from '../../../../platform/money.ts'
import type { FileWarning, PrintedMoney, TicketDocument } from '../../ticket-file.ts'
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

/** The paid amount, the only amount of an order without prices; null if there is none. */
export function paidAmount(message: TicketXmlElement): PrintedMoney | null {
  const payments = ['PaymentProcessingSummary', 'PaymentInfo', 'Payment'].flatMap((name) => descendants(message, name))
  return sumOf(payments.map((payment) => moneyInElement(element(payment, 'Amount'))))
}

/** A warning with the paid amount. The only document of an order has it as its total. */
export function paidWarning({ currency, amount }: PrintedMoney, only: TicketDocument | null): FileWarning {
  const message = only
    ? `The order was paid with ${currency} ${amount}, which is the total of its only document ${only.number}. Check it.`
    : `The order was paid with ${currency} ${amount} in all. Check that the prices add up to it.`
  return { code: 'payment_amount', message }
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
