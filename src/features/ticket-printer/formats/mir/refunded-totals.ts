import { isCurrencyCode } from './amounts.ts'
import { cutLine } from './columns.ts'

/** The line `RA:`. Between them stand the commissions of the used and of the refunded fare. */
const TOTALS = { used: [0, 8], net: [8, 8], currency: [32, 3], total: [35, 8] } as const
/** Four amounts, a currency and the total, wherever the columns begin: some sources lose one on the way. */
const LOOSE = /^\s*([\d.]+) +([\d.]+) +[\d.]+ +[\d.]+ *([A-Z]{2,3}) *([\d.]+)\s*$/

type Totals = Readonly<Record<keyof typeof TOTALS, string>>

/** The used fare, the net total to refund, and the total refund with its currency, as printed; null is unreadable. */
export function refundedTotals(line: string): Totals | null {
  const fixed = cutLine(line, TOTALS)
  if (isCurrencyCode(fixed.currency) || fixed.currency === '') return fixed
  const [, used, net, currency, total] = LOOSE.exec(line) ?? []
  return used && net && currency && total ? { used, net, currency, total } : null
}
