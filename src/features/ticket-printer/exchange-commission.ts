import { currencyDigits, type Fixed, fixed, percentOf, print } from '../../platform/money.ts'
import type { Fare, FileWarning, PrintedMoney, TicketDocument } from './ticket-file.ts'

const amountIn = (currency: string, money: PrintedMoney | null): Fixed | null =>
  money?.currency === currency ? fixed(money.amount) : null
const notBelowZero = (amount: Fixed): Fixed => (amount > 0n ? amount : 0n)

/** The taxes to pay now, by code: some files list all taxes of the new document beside those already paid. */
function newTaxes({ taxes, paidTaxes }: Fare, currency: string): Fixed {
  const due = new Map<string, Fixed>()
  const add = (code: string, amount: Fixed) => due.set(code, (due.get(code) ?? 0n) + amount)
  for (const tax of taxes) add(tax.code, amountIn(currency, tax) ?? 0n)
  for (const tax of paidTaxes) if (due.has(tax.code)) add(tax.code, -(amountIn(currency, tax) ?? 0n))
  return [...due.values()].reduce((sum, amount) => sum + notBelowZero(amount), 0n)
}

/** The newly collected fare: from the file's balance, otherwise what remains of the collected amount. */
function collectedFare({ fare, exchange }: TicketDocument, collected: Fixed, currency: string): Fixed {
  const printed = amountIn(currency, exchange?.fareDifference ?? null)
  const penalty = amountIn(currency, exchange?.penalty ?? null) ?? 0n
  return notBelowZero(printed ?? collected - penalty - newTaxes(fare, currency))
}

/** The agency's mark-up on a net fare; null unless both fares refer to the same part of the new document. */
function markUp({ fare, netFare, exchange }: TicketDocument, currency: string): Fixed | null {
  const [sold, owed] = [amountIn(currency, fare.total), amountIn(currency, netFare?.total ?? null)]
  if (sold === null || owed === null || !netFare) return null
  const collected = amountIn(currency, exchange?.additionalCollection ?? null)
  const taxesText = ({ taxes, paidTaxes }: Fare) => JSON.stringify([taxes, paidTaxes])
  const isSameBase = taxesText(fare) === taxesText(netFare) && (collected === null || collected === sold)
  return isSameBase ? notBelowZero(sold - owed) : null
}

/**
 * The agency's earnings from an exchange with a known collected amount, in the currency of the sale. A rate applies to
 * the newly collected fare; an amount cannot exceed what was collected. Without a commission the agency owes all of it.
 */
export function exchangeCommission(
  document: TicketDocument,
  collected: Fixed | null,
  {
    currency,
    rate,
    amount,
  }: { readonly currency: string; readonly rate: string | null; readonly amount: string | null },
  warnings: FileWarning[],
): string | null {
  if (amount !== null) {
    if (collected === null || fixed(amount) <= collected) return amount
    const message = `Document ${document.number}: the commission of ${amount} is more than the ${print(collected)} collected in the exchange, so it was limited to that. Check the commission.`
    warnings.push({ code: 'commission_amount', message })
    return print(notBelowZero(collected))
  }
  if (rate !== null)
    return collected === null
      ? null
      : print(percentOf(collectedFare(document, collected, currency), fixed(rate), currencyDigits(currency)))
  const own = markUp(document, currency)
  return own === null ? null : print(own)
}
