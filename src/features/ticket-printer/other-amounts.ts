import { fixed } from '../../platform/money.ts'
import { type CapturedFile, factsOf } from './facts.ts'
import { added } from './formats/sums.ts'
import type { FileWarning, PrintedMoney, TicketDocument } from './ticket-file.ts'

/** The total, the fare and the taxes of a document; null if the file does not contain them. */
function amountsOf({ fare }: TicketDocument): readonly (PrintedMoney | null)[] {
  const { total, equivalent, base, taxes } = fare
  const [first] = taxes
  const isOneCurrency = taxes.every(({ currency }) => currency === first?.currency)
  const taxTotal = first && isOneCurrency ? added(taxes.map(({ amount }) => amount)) : null
  return [total, equivalent ?? base, first && taxTotal !== null ? { currency: first.currency, amount: taxTotal } : null]
}

const isSame = (one: PrintedMoney, other: PrintedMoney): boolean =>
  one.currency === other.currency && fixed(one.amount) === fixed(other.amount)
const print = ({ currency, amount }: PrintedMoney): string => `${currency} ${amount}`

/** The first amount in which two issues of a document differ. An amount that only one file contains does not count. */
function differenceOf(one: TicketDocument, other: TicketDocument): readonly [PrintedMoney, PrintedMoney] | null {
  const others = amountsOf(other)
  for (const [at, amount] of amountsOf(one).entries()) {
    const second = others[at]
    if (amount && second && !isSame(amount, second)) return [amount, second]
  }
  return null
}

/**
 * Warns if earlier files issue a document of the file with other amounts: the sale can have only one of them. `chosen`
 * is the capture whose amounts the sale of a number has; null if it follows none of its files.
 */
export function otherAmounts(
  own: CapturedFile,
  readings: readonly CapturedFile[],
  chosen: (number: string) => string | null,
): FileWarning[] {
  const issuesOf = (reading: CapturedFile) =>
    factsOf(reading).flatMap(({ action, number, document }) =>
      action === 'issue' && document && reading.numbers.has(number) ? document : [],
    )
  const issued = new Map(issuesOf(own).map((document) => [document.number, document]))
  return readings
    .filter(({ id }) => id !== own.id)
    .flatMap((reading) =>
      issuesOf(reading).flatMap((earlier) => {
        const { number } = earlier
        const document = issued.get(number)
        const difference = document && differenceOf(earlier, document)
        if (!difference) return []
        const [before, now] = difference.map(print)
        const used = chosen(number)
        const result = used === null ? 'The sale follows neither.' : `The sale has the amounts of capture ${used}.`
        const message = `Captures ${reading.id} and ${own.id} have different amounts for document ${number}: ${before} and ${now}. ${result} Check the sale.`
        return [{ code: 'other_amounts', message }]
      }),
    )
}
