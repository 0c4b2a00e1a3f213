import type { FormOfPayment } from '../../ticket-file.ts'
import { maskedCode, withoutCards } from '../printed.ts'

/** Forms of payment that count as cash; a field for two may repeat the same one. */
const CASH = /^(?:CA(?:SH)?|CK|CHECK|CHEQUE)(?: +(?:CA(?:SH)?|CK|CHECK|CHEQUE))*$/
const KINDS: readonly (readonly [FormOfPayment['kind'], RegExp])[] = [
  ['card', /^(?:NONREF[ /]*)?(?:CC|\*?[A-Z]{2} ?[\dX*]{12})/],
  ['cash', CASH],
  ['invoice', /^INV/],
  ['miles', /^(?:MILES|AWARD|PTS|POINTS)/],
]
/** The approval code behind the expiry of a card, `*CA…#11/25*Z123456`. */
const APPROVAL = /((?:#|‡|¥|\/)\d{2}\/?\d{2} ?[*/ ]Z?)([A-Z\d]{3,20})/g

/** A form of payment as printed in an IUR, with masked cards and approval codes; null if empty. */
export function paymentOf(printed: string): FormOfPayment | null {
  const plain = withoutCards(printed.trim()).replace(
    APPROVAL,
    (_, card: string, code: string) => card + maskedCode(code),
  )
  if (plain === '') return null
  return { kind: KINDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null, text: plain }
}
