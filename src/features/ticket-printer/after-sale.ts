import { fixed, print } from '../../platform/money.ts'
import type { PrintedMoney, TicketDocument } from './ticket-file.ts'

export type AfterSaleItem = Record<string, unknown>
/** Formats a decimal as the database does, so that equal amounts have equal text. */
const decimal = (printed: string | null | undefined): string | null => (printed ? print(fixed(printed)) : null)
const amount = (money: PrintedMoney | null): string | null => decimal(money?.amount)
const currencyIn = (amounts: readonly (PrintedMoney | null)[]): string | null =>
  amounts.find((money) => money !== null)?.currency ?? null

/** A refund of this day, as stored in a sale until it is settled. */
export function refundItem({ number, refund }: TicketDocument, day: string): AfterSaleItem {
  if (!refund) return { ticket_number: number, status: 'draft', refunded_on: day }
  const { gross, used, refundable, penalty, otherFees, taxes, taxTotal, total, commissionRecall } = refund
  return {
    ticket_number: number,
    status: 'draft',
    refunded_on: day,
    originally_issued_on: refund.originallyIssuedOn,
    coupons: refund.coupons?.slice(0, 40) ?? null,
    currency: currencyIn([total, gross, taxTotal, taxes[0] ?? null, penalty]),
    gross: amount(gross),
    used: amount(used),
    refundable: amount(refundable),
    penalty: amount(penalty),
    other_fees: amount(otherFees),
    taxes: taxes.map(({ code, amount }) => ({ code: code.slice(0, 10), amount: decimal(amount) })),
    tax_total: amount(taxTotal),
    commission_recall: decimal(commissionRecall?.amount),
    commission_recall_rate: decimal(commissionRecall?.rate),
    total: amount(total),
  }
}

/** The exchange of a document: the documents given in, and what the exchange cost. */
export function exchangeItem({ number, exchange }: TicketDocument): AfterSaleItem {
  const {
    originals = [],
    additionalCollection = null,
    fareDifference = null,
    penalty = null,
    residual = null,
  } = exchange ?? {}
  return {
    ticket_number: number,
    exchanged_ticket_numbers: originals.map((original) => original.number),
    coupons:
      originals
        .flatMap(({ coupons }) => coupons ?? [])
        .join('/')
        .slice(0, 40) || null,
    currency: currencyIn([additionalCollection, penalty, residual]),
    additional_collection: amount(additionalCollection),
    fare_difference: amount(fareDifference),
    penalty: amount(penalty),
    residual: amount(residual),
  }
}
