import type { FormOfPayment } from '../../ticket-file.ts'
import { withoutCards } from '../printed.ts'

const KINDS: readonly (readonly [FormOfPayment['kind'], RegExp])[] = [
  ['card', /^(?:CC|[A-Z]{2}[\dX*]{12})/],
  ['cash', /^(?:CA(?:SH)?|CK|CHECK|CHEQUE)$/],
  ['invoice', /^INV/],
  ['miles', /^(?:MILES|AWARD|PTS|POINTS)/],
]

/** A form of payment as an IUR prints it, card numbers masked; null where nothing is printed. */
export function paymentOf(printed: string): FormOfPayment | null {
  const plain = withoutCards(printed.trim())
  if (plain === '') return null
  return { kind: KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null, text: plain }
}
