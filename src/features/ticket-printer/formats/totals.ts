import { fixed } from '../../../platform/money.ts'
import type { TicketDocument } from '../ticket-file.ts'
import type { Warn } from './warnings.ts'

type Priced = Pick<TicketDocument, 'number' | 'fare' | 'fareMark'>

/** Warns if fare and taxes of a document do not add up to its total, unless it prints a mark instead of its fare. */
export function checkTotal({ number, fare, fareMark }: Priced, warn: Warn): void {
  const { base, equivalent, taxes, total } = fare
  const sold = equivalent ?? base
  if (!total || !sold || fareMark !== null) return
  const parts = [sold, ...taxes]
  const isOneCurrency = parts.every(({ currency }) => currency === total.currency)
  const sum = parts.reduce((all, { amount }) => all + fixed(amount), 0n)
  if (isOneCurrency && sum !== fixed(total.amount))
    warn(
      'total_differs',
      `Fare and taxes of ${number} do not add up to its total of ${total.currency} ${total.amount}. Check the amounts.`,
    )
}
