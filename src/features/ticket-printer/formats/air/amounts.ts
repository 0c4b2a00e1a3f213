import { fixed } from '../../../../platform/money.ts'
import type { PrintedMoney } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import type { Warn } from '../warnings.ts'

const CURRENCY_WIDTH = 3
const SHOWN = 24

/** `KWD     19.000`; null if empty, and with a warning if it is not an amount. */
export function moneyInText(printed: string, what: string, warn: Warn): PrintedMoney | null {
  const amount = printed.slice(CURRENCY_WIDTH).trim()
  return amount === '' ? null : moneyBeside(printed.slice(0, CURRENCY_WIDTH), amount, what, warn)
}

/** An amount printed apart from its currency. */
export function moneyBeside(currency: string, amount: string, what: string, warn: Warn): PrintedMoney | null {
  if (amount.trim() === '') return null
  const money = moneyOf(currency, amount)
  if (!money) {
    const shown = `${currency}${amount}`.trim().slice(0, SHOWN)
    warn('unreadable_amount', `The ${what} is printed as "${shown}", which is not an amount. Enter it by hand.`)
  }
  return money
}

export const isSameMoney = (one: PrintedMoney, other: PrintedMoney): boolean =>
  one.currency === other.currency && fixed(one.amount) === fixed(other.amount)
