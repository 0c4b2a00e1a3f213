import type { Commission, FormOfPayment, PrintedMoney } from '../../ticket-file.ts'
import { maskedCode, moneyOf, printedAmount, printedText, withoutCards } from '../printed.ts'
import type { Warn } from '../warnings.ts'

/** The trailing letter is the type of the number: an amount, a percentage, or either of the net fare. */
const COMMISSION = /^(\d{1,15}(?:\.\d{1,4})?)(AN|A|N|P)?$/
const MOST_PAYMENTS = 20
const MOST_DETAILS = 10
/** The expiry behind a card, sometimes an amount, and the approval code. */
const APPROVAL =
  /(CC[A-Z]{2}[\dX* -]{4,30}(?:\/[A-Z]{3}[\d.]{1,12})?\/\d{4}(?:\/[A-Z]{3}[\d.]{1,12})?\/)([A-Z\d*]{1,20})/g
const KINDS: readonly (readonly [RegExp, NonNullable<FormOfPayment['kind']>])[] = [
  [/^(?:CC|MSCC|TP[A-Z]{2}\d)/, 'card'],
  [/^(?:CASH|CHECK|CHEQUE|CK)/, 'cash'],
  [/^INV/, 'invoice'],
  [/MILES|AWARD/, 'miles'],
]

/** Removes the marks `*M*`, `*F*`, `*G*` and `*C*`, which show the origin of an element. */
export function withoutOrigin(printed: string): string {
  const plain = printed.trim()
  return plain.startsWith('*') ? plain.replace(/^\*[A-Z]\*/, '').trimStart() : plain
}

/** `9`, `5.00P`, `679.75A`, or percentage and amount, `1.00P/28.28A`. Null for empty and zero. */
export function readCommission(printed: string, warn: Warn): Commission | null {
  if (printed === '') return null
  const parts = withoutOrigin(printed).split('/', 4)
  let rate: string | null = null
  let amount: string | null = null
  for (const part of parts) {
    if (part.trim() === '') continue
    const [, number, unit = ''] = COMMISSION.exec(part.trim()) ?? []
    const value = printedAmount(number)
    if (value === null) {
      warn('commission', `The commission is printed as "${printed.trim().slice(0, 24)}". Enter it by hand.`)
      return null
    }
    if (Number(value) === 0) continue
    if (unit.startsWith('A')) amount = value
    else rate = value
  }
  return rate === null && amount === null ? null : { rate, amount }
}

/**
 * `CASH`, `CCVI…/1229/A123456`; several are joined by plus signs, and in an exchange the old one comes first:
 * `O/CASH+/CASH`.
 */
export function readPayment(printed: string): FormOfPayment | null {
  const whole = printedText(withoutOrigin(printed))
  if (whole === null) return null
  const parts = whole.split('+').map((part) => part.trim())
  // The old form is not a payment; what is paid in addition has a slash before it.
  const paid = parts.filter((part) => part !== '' && (!isOld(whole) || part.startsWith('/')))
  const kinds = new Set(paid.map(kindOf))
  const [kind = null] = kinds
  return { kind: kinds.size > 1 ? 'mixed' : kind, text: withoutApprovals(withoutCards(whole)) }
}

const withoutApprovals = (printed: string): string =>
  printed.replace(APPROVAL, (_, card: string, code: string) => card + maskedCode(code))

const isOld = (whole: string): boolean => whole.startsWith('O/')
export const paysWithOld = (printed: string): boolean => isOld(withoutOrigin(printed))

function kindOf(part: string): FormOfPayment['kind'] {
  const plain = part.replace(/^\//, '').replace(/^NONREF\/?/, '')
  return KINDS.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}

/**
 * The amounts behind the forms of payment, `CASH/KWD314.550+CCVI…/1229/KWD20.000/A1`; null for one without an amount.
 */
export const paidAmounts = (printed: string): (PrintedMoney | null)[] =>
  printed.split('+', MOST_PAYMENTS).map((part) => {
    const details = part.split('/', MOST_DETAILS).slice(1)
    const amounts = details.map((detail) => moneyOf(detail.trim().slice(0, 3), detail.trim().slice(3)))
    return amounts.find((money) => money !== null) ?? null
  })
