import type { FormOfPayment } from '../../ticket-file.ts'
import { withoutCards } from '../printed.ts'

const KINDS: readonly (readonly [FormOfPayment['kind'], RegExp])[] = [
  ['card', /^(?:CC|[A-Z]{2}[\dX*]{12})/],
  ['cash', /^(?:CA(?:SH)?|CK|CHECK|CHEQUE)$/],
  ['invoice', /^INV/],
  ['miles', /^(?:MILES|AWARD|PTS|POINTS)/],
]
/** Blanks and hyphens in a card number, which would hide it from what masks it. */
const CARD_GAPS = /(?<=\d{4})[ -](?=\d{4})/g

/** A form of payment as an IUR prints it, card numbers masked; null where nothing is printed. */
export function paymentOf(printed: string): FormOfPayment | null {
  const plain = withoutCards(printed.trim().replace(CARD_GAPS, ''))
  if (plain === '') return null
  return { kind: KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null, text: plain }
}
