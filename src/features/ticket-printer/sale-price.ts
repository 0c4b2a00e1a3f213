import { isCurrency } from '../../catalogue/currencies.ts'
import { fixed, print } from '../../platform/money.ts'
import { exchangeCommission } from './exchange-commission.ts'
import type { Commission, FileWarning, PrintedMoney, Tax, TicketDocument } from './ticket-file.ts'

/** The amounts of a passenger's entry, as cells of a ticket import. */
export type PassengerPrice = Readonly<Record<string, unknown>>
/** Converts an amount to a cell in the currency of the sale; null if it has another currency. */
export type InSale = (money: PrintedMoney | null | undefined) => string | null

const TAX_CODE = 10
const MOST_PERCENT = 100

const sum = (amounts: readonly string[]): string => print(amounts.reduce((total, amount) => total + fixed(amount), 0n))
const less = (amount: string, taken: string): string => print(fixed(amount) - fixed(taken))
const negative = (amount: string): string => print(-fixed(amount))

/**
 * The currency of the sale of a document: that of its total, otherwise of the nearest amount; null if it is not a
 * currency.
 */
export function saleCurrencyOf({ fare, refund, exchange }: TicketDocument): string | null {
  const { total, equivalent, taxes, base } = fare
  const amounts = [total, exchange?.additionalCollection, refund?.total, equivalent, taxes[0], base, refund?.gross]
  return amounts.find((money) => money && isCurrency(money.currency))?.currency ?? null
}
const FARE_CURRENCY = /^[A-Z]{3}$/

/** Leaves out amounts in another currency than the sale, with a warning. */
export const inSale =
  (currency: string, { number }: TicketDocument, warnings: FileWarning[]): InSale =>
  (money) => {
    if (!money || money.currency === currency) return money?.amount ?? null
    const message = `Document ${number}: ${money.currency} ${money.amount} was left out, because the sale is in ${currency}. Enter it by hand.`
    warnings.push({ code: 'other_currency', message })
    return null
  }

const taxesOf = (taxes: readonly Tax[], amountOf: InSale): { code: string; amount: string }[] =>
  taxes.flatMap((tax) => {
    const amount = amountOf(tax)
    return amount === null ? [] : [{ code: tax.code.slice(0, TAX_CODE), amount }]
  })
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null)

/** The tax code of a penalty. The airline keeps the penalty, so it is both sold and owed. */
const PENALTY = 'CP'

/** The amount of a commission, in the currency of its document. */
const commissionIn = (currency: string, document: TicketDocument, commission: Commission | null | undefined) =>
  (saleCurrencyOf(document) ?? currency) === currency ? (commission?.amount ?? null) : null

/**
 * The price for the traveller: fare, taxes, and the airline's fees, which no printed total includes. In an exchange the
 * total is what was paid on top, with the airline's penalty. A mark-up on a net fare is the agency's commission.
 */
export function passengerPriceOf(
  document: TicketDocument,
  currency: string,
  amountOf: InSale,
  warnings: FileWarning[],
): PassengerPrice {
  const { fare, exchange, netFare, commission } = document
  const fees = taxesOf(fare.fees, amountOf)
  const equivalent = amountOf(fare.equivalent)
  const printed = amountOf(fare.total)
  const collected = amountOf(exchange?.additionalCollection)
  const penalty = collected === null ? amountOf(exchange?.penalty) : null
  const beside = [...fees, ...(penalty === null ? [] : [{ code: PENALTY, amount: penalty }])]
  const paid = collected ?? printed
  const owed = netFare?.total?.currency === currency ? netFare.total.amount : null // a cost: no warning reveals it
  const rate = rateOf(commission?.rate)
  const amount = commissionIn(currency, document, commission)
  const base = fare.base && FARE_CURRENCY.test(fare.base.currency) ? fare.base : null
  return {
    base_fare: base?.amount ?? null,
    base_fare_currency: base?.currency ?? null,
    equivalent_fare: equivalent,
    taxes: orNull([...taxesOf(fare.taxes, amountOf), ...beside]),
    total: paid && sum([paid, ...beside.map(({ amount }) => amount)]),
    commission_rate: collected === null ? rate : null,
    commission_amount: exchange
      ? exchangeCommission(document, collected === null ? null : fixed(collected), { currency, rate, amount }, warnings)
      : (amount ?? (rate === null && owed !== null && printed !== null ? less(printed, owed) : null)),
  }
}

const rateOf = (rate: string | null | undefined): string | null => (rate && Number(rate) <= MOST_PERCENT ? rate : null)

/**
 * The amounts refunded to the traveller, which are negative; what is kept, and the commission, have the opposite sign.
 */
export function refundPriceOf(document: TicketDocument, currency: string, amountOf: InSale): PassengerPrice {
  const { refund } = document
  const fare = amountOf(refund?.refundable ?? refund?.gross)
  const taxTotal = amountOf(refund?.taxTotal)
  const listed = taxesOf(refund?.taxes ?? [], amountOf)
  const taxes = listed.length > 0 || taxTotal === null ? listed : [{ code: 'XT', amount: taxTotal }]
  const kept = [amountOf(refund?.penalty), amountOf(refund?.otherFees)].filter((charge) => charge !== null)
  const penalties = kept.map((amount) => ({ code: PENALTY, amount }))
  const total = amountOf(refund?.total)
  const recall = commissionIn(currency, document, refund?.commissionRecall)
  return {
    base_fare: fare && negative(fare),
    taxes: orNull([...taxes.map(({ code, amount }) => ({ code, amount: negative(amount) })), ...penalties]),
    total: total && negative(total),
    commission_amount: recall && negative(recall),
    commission_rate: recall ? null : rateOf(refund?.commissionRecall?.rate),
  }
}
