import { isCurrencyCode } from './amounts.ts'
import { cutLine } from './columns.ts'

/** The line `RA:`. The second half of its amounts are the commissions of the used and of the refunded fare. */
const TOTALS = { used: [0, 8], net: [8, 8], currency: [32, 3], total: [35, 8, 'amount'] } as const
const AMOUNTS_AT = [0, 8, 16, 24] as const
const AMOUNT_WIDTH = 8
const RIGHT_ALIGNED = /^ *[\d.]*$/
/** The currency and the total at the end, wherever the columns begin, because some sources lose a column. */
const END = /([A-Z]{2,3}) *([\d.]+)\s*$/

type Totals = Readonly<Record<keyof typeof TOTALS, string>>

/**
 * The used fare, the net total to refund, and the total refund with its currency, as printed; null if it cannot be
 * parsed.
 */
export function refundedTotals(line: string): Totals | null {
  const fixed = cutLine(line, TOTALS)
  const areInColumns = AMOUNTS_AT.every((at) => RIGHT_ALIGNED.test(line.slice(at, at + AMOUNT_WIDTH)))
  if (areInColumns && (isCurrencyCode(fixed.currency) || fixed.currency === '')) return fixed
  const end = END.exec(line)
  if (!end) return null
  const before = line.slice(0, end.index).trim().split(/\s+/)
  const [used = '', net = ''] = before.length === AMOUNTS_AT.length ? before : []
  return { used, net, currency: end[1] ?? '', total: end[2] ?? '' }
}
