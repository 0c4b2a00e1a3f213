import { fixed } from '../../../../platform/money.ts'
import type { PrintedMoney, Tax } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { added } from '../sums.ts'

const MONEY = /^([A-Z]{3})\s?([\d.]+)$/

/** `UAH5743`; null if it is not an amount. */
export function prefixedMoney(printed: string | undefined): PrintedMoney | null {
  const [, currency, amount] = MONEY.exec(printed?.trim() ?? '') ?? []
  return moneyOf(currency, amount)
}

export const isZeroAmount = ({ amount }: PrintedMoney): boolean => fixed(amount) === 0n

const DETAILS = / XT ([\dA-Z.]+)/
/** An amount without decimals is followed by a code that begins or ends with a letter: `444YK`, `1057A`. */
const WHOLE_TAX = /(\d+)([A-Z][A-Z0-9]|\d[A-Z])/y
const NEXT_TAX: Readonly<Record<number, RegExp>> = {
  2: /(\d+\.\d{2})([A-Z0-9]{2})/y,
  3: /(\d+\.\d{3})([A-Z0-9]{2})/y,
}

/** The taxes summed up as `XT`, which a fare calculation lists without separators; null if they do not add up to it. */
export function taxesBehind(sum: Tax, calculation: string | null): readonly Tax[] | null {
  const run = DETAILS.exec(calculation ?? '')?.[1] ?? ''
  const pattern = new RegExp(NEXT_TAX[sum.amount.split('.')[1]?.length ?? 0] ?? WHOLE_TAX)
  const taxes: Tax[] = []
  for (let found = pattern.exec(run); found; found = pattern.exec(run)) {
    const money = moneyOf(sum.currency, found[1])
    if (money) taxes.push({ ...money, code: found[2] ?? '', nature: null })
  }
  const isWhole = taxes.length > 0 && fixed(added(taxes.map(({ amount }) => amount))) === fixed(sum.amount)
  return isWhole ? taxes : null
}
