import type { Exchange, Fare, Refund } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { followingNumbers } from '../printed.ts'
import { type Accounted, accountedAmounts, accountedFare, warnOfAccounted } from './accounted-fares.ts'
import { type AccountingLine, currentLines, EXCHANGES, settledBy } from './accounting.ts'
import { airlineFor } from './numbers.ts'
import type { Draft, Reading } from './reading.ts'

/** The documents of an invoice that have no record other than their accounting lines, and whether they are refunds. */
export function accountedDocuments(reading: Reading): { refund: boolean; drafts: Draft[] } {
  const { refund, lines } = currentLines(reading.lines)
  return { refund, drafts: lines.flatMap((line) => draftOf(reading, line, refund)) }
}

function draftOf(reading: Reading, line: AccountingLine, isRefund: boolean): Draft[] {
  const number = reading.numberOf(line.airline, line.serial)
  if (number === null) return []
  const currency = line.currency ?? reading.currency
  const accounted = accountedAmounts(line, currency)
  warnOfAccounted(line, currency, number, reading.warn)
  return [
    {
      ...BLANK_DOCUMENT,
      number,
      kind: line.kind,
      conjunctions: followingNumbers(number, line.conjunctions),
      airline: airlineFor(line.airline, number),
      holder: { item: line.passenger, ptc: null },
      issuedOn: reading.issuedOn,
      commission: isRefund ? null : line.commission,
      formOfPayment: line.payment,
      ...(isRefund ? { refund: refundOf(reading, line, accounted, currency) } : saleOf(line, accounted)),
    },
  ]
}

/** What was paid, from the accounting line of the sale. Without one, in a full refund, it equals the refunded fare. */
function refundOf(
  { lines }: Reading,
  line: AccountingLine,
  { fare, taxes, total }: Accounted,
  currency: string | null,
): Refund {
  const sale = lines.find(({ serial, indicator }) => serial === line.serial && indicator !== 'R')
  const paid = sale ? accountedAmounts(sale, sale.currency ?? currency).fare : null
  return {
    gross: paid ?? (line.isFullRefund ? fare : null),
    used: null,
    refundable: fare,
    penalty: null,
    otherFees: null,
    taxes: [],
    taxTotal: taxes,
    commissionRecall: line.commission,
    total,
    coupons: line.refundedCoupons,
    originallyIssuedOn: null,
  }
}

function saleOf(line: AccountingLine, accounted: Accounted): { fare: Fare; exchange: Exchange | null } {
  const { originals, indicator } = line
  const isExchange = originals.length > 0 || EXCHANGES.includes(indicator)
  return {
    fare: accountedFare(accounted),
    exchange: isExchange ? { originals, ...settledBy(indicator, accounted.total), penalty: null } : null,
  }
}
