import { fixed } from '../../../../platform/money.ts'
import { type Fare, NO_FARE, type PrintedMoney } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { added } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import type { AccountingLine } from './accounting.ts'
import { TAXES_TOGETHER, warnOfAmount } from './amounts.ts'

export type Accounted = {
  readonly fare: PrintedMoney | null
  readonly taxes: PrintedMoney | null
  readonly total: PrintedMoney | null
}

/** The amounts of an accounting line; its taxes have no codes. */
export function accountedAmounts({ fare, taxes, garbled }: AccountingLine, currency: string | null): Accounted {
  const moneyIn = (amount: string) => moneyOf(currency ?? '', amount)
  return {
    fare: moneyIn(fare ?? ''),
    taxes: taxes.length > 0 && garbled === null ? moneyIn(added(taxes)) : null,
    total: fare === null || garbled !== null ? null : moneyIn(added([fare, ...taxes])),
  }
}

/** The amounts of an accounting line as the price of a document. */
export const accountedFare = ({ fare, taxes, total }: Accounted): Fare => ({
  ...NO_FARE,
  base: fare,
  taxes: taxes && fixed(taxes.amount) > 0n ? [{ code: TAXES_TOGETHER, ...taxes, nature: null }] : [],
  total,
})

/** Warns of unreadable amounts and of amounts without a currency. */
export function warnOfAccounted(line: AccountingLine, currency: string | null, number: string, warn: Warn): void {
  const { garbled, fare, taxes } = line
  if (garbled !== null) warnOfAmount(warn, 'accounting line', number, garbled)
  if (garbled !== null || currency !== null || fare === null) return
  const amounts = `fare ${fare}, taxes ${taxes.join(' and ') || 'none'}`
  warn('unknown_currency', `The file shows no currency for document ${number}. Enter its amounts: ${amounts}.`)
}
