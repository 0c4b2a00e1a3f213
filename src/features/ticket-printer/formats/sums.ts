import { fixed } from '../../../platform/money.ts'
import type { Money } from '../ticket-file.ts'

const UNIT_DECIMALS = 4

/** The sum of amounts, with as many decimals as they are printed with; null of none, and of different currencies. */
export function sumOf(amounts: readonly (Money | null)[]): Money | null {
  const [first] = amounts
  if (!first || amounts.some((each) => each?.currency !== first.currency)) return null
  const printed = amounts.map((each) => each?.amount ?? '0')
  const decimals = Math.max(...printed.map((amount) => amount.split('.')[1]?.length ?? 0))
  const digits = String(printed.reduce((sum, amount) => sum + fixed(amount), 0n)).padStart(UNIT_DECIMALS + 1, '0')
  const whole = digits.slice(0, -UNIT_DECIMALS)
  const rest = digits.slice(-UNIT_DECIMALS).slice(0, decimals)
  return { currency: first.currency, amount: rest === '' ? whole : `${whole}.${rest}` }
}
