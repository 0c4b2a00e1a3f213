import { fixed } from '../../../../platform/money.ts'
import { type Exchange, type Fare, NO_FARE, type Refund } from '../../ticket-file.ts'
import { followingNumbers } from '../printed.ts'
import { type AccountingLine, currentLines, EXCHANGES, settledBy } from './accounting.ts'
import { warnOfAmount } from './amounts.ts'
import { type Accounted, accountedFare } from './fares.ts'
import { airlineFor } from './numbers.ts'
import { BLANK, type Draft, type Reading } from './reading.ts'

/** The code of taxes that are told as a sum alone. */
const TAXES_TOGETHER = 'XT'

/** The documents of an invoice that has no other record of them than its accounting lines, and whether they are refunds. */
export function accountedDocuments(reading: Reading): { refund: boolean; drafts: Draft[] } {
  const { refund, lines } = currentLines(reading.lines)
  return { refund, drafts: lines.flatMap((line) => draftOf(reading, line, refund)) }
}

function draftOf(reading: Reading, line: AccountingLine, isRefund: boolean): Draft[] {
  const number = reading.numberOf(line.airline, line.serial)
  if (number === null) return []
  const accounted = accountedFare(line, line.currency)
  warnOfLine(reading, line, number)
  return [
    {
      ...BLANK,
      number,
      kind: line.kind,
      conjunctions: followingNumbers(number, line.conjunctions),
      airline: airlineFor(line.airline, number),
      holder: { item: line.passenger, ptc: null },
      issuedOn: reading.issuedOn,
      commission: isRefund ? null : line.commission,
      formOfPayment: line.payment,
      ...(isRefund ? { refund: refundOf(line, accounted) } : saleOf(line, accounted)),
    },
  ]
}

function warnOfLine({ warn }: Reading, { garbled, currency, fare, taxes }: AccountingLine, number: string): void {
  if (garbled !== null) warnOfAmount(warn, 'accounting line', number, garbled)
  if (garbled !== null || currency !== null || fare === null) return
  const told = `fare ${fare}, taxes ${taxes.join(' and ') || 'none'}`
  warn('unknown_currency', `The file shows no currency for document ${number}. Enter its amounts: ${told}.`)
}

/** Of a full refund the fare that comes back is the one that was paid. */
function refundOf(line: AccountingLine, { fare, taxes, total }: Accounted): Refund {
  return {
    gross: line.isFullRefund ? fare : null,
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

function saleOf(line: AccountingLine, { fare, taxes, total }: Accounted): { fare: Fare; exchange: Exchange | null } {
  const isExchange = line.originals.length > 0 || EXCHANGES.includes(line.indicator)
  return {
    fare: {
      ...NO_FARE,
      base: fare,
      taxes: taxes && fixed(taxes.amount) > 0n ? [{ code: TAXES_TOGETHER, ...taxes, nature: null }] : [],
      total,
    },
    exchange: isExchange ? { originals: line.originals, ...settledBy(line.indicator, total), penalty: null } : null,
  }
}
