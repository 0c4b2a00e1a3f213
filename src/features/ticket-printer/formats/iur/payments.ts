import type { FormOfPayment } from '../../ticket-file.ts'
import { maskedCode, withoutCards } from '../printed.ts'

/** Ways of payment that are cash; a field of two may print the same one twice. */
const CASH = /^(?:CA(?:SH)?|CK|CHECK|CHEQUE)(?: +(?:CA(?:SH)?|CK|CHECK|CHEQUE))*$/
const KINDS: readonly (readonly [FormOfPayment['kind'], RegExp])[] = [
  ['card', /^(?:NONREF[ /]*)?(?:CC|\*?[A-Z]{2} ?[\dX*]{12})/],
  ['cash', CASH],
  ['invoice', /^INV/],
  ['miles', /^(?:MILES|AWARD|PTS|POINTS)/],
]
/** Behind the expiry of a card, `*CA…#11/25*Z123456`: the code of its approval. */
const APPROVAL = /((?:#|‡|¥|\/)\d{2}\/?\d{2} ?[*/ ]Z?)([A-Z\d]{3,20})/g

/** A form of payment as an IUR prints it, cards and approvals masked; null where nothing is printed. */
export function paymentOf(printed: string): FormOfPayment | null {
  const plain = withoutCards(printed.trim()).replace(
    APPROVAL,
    (_, card: string, code: string) => card + maskedCode(code),
  )
  if (plain === '') return null
  return { kind: KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null, text: plain }
}
