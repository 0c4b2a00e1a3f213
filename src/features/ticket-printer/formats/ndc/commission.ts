import type { Commission } from '../../ticket-file.ts'
import { printedAmount, printedRate } from '../printed.ts'
import { element, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

/** The commission of an element, as a percentage of the fare or as an amount. */
export function commissionIn(from: TicketXmlElement | undefined): Commission | null {
  const commission = from && element(from, 'Commission')
  const rate = printedRate(firstTextAt(commission, 'Percentage'))
  const amount = printedAmount(firstTextAt(commission, 'Amount') ?? undefined)
  return rate === null && amount === null ? null : { rate, amount }
}
