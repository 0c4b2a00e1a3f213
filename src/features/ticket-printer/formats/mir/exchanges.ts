import type { Exchange, PrintedMoney, Tax } from '../../ticket-file.ts'
import { checkDigitHolds, followingNumbers, moneyOf, printedText } from '../printed.ts'
import { sumOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { inDetail, printedCurrency, taxBoxes, unlessZero, zeroFilled } from './amounts.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { NUMBER } from './numbers.ts'
import type { MirPayment } from './payments.ts'
import type { Item } from './sections.ts'

/** The current section of both systems, with lines behind it. */
const GALILEO = { penalty: [61, 9], type: [79, 1] } as const
/** The older section of Apollo, in one line. */
const APOLLO = {
  number: [5, 13],
  books: [19, 2],
  coupons: [21, 4],
  type: [34, 1],
  currency: [35, 3],
  penalty: [50, 9],
} as const
const OLD_TICKET = { number: [3, 13], checkDigit: [16, 1], coupons: [17, 4] } as const
const OLD_FARE_BOXES = 'T1:'
/** Behind the last tax box: the old total and the difference, with this many characters each. */
const DIFFERENCE = { at: 12, width: 12 } as const
const AMOUNTS_BEHIND = /^[\d. ]{24}(?![\d.])/

type Old = {
  readonly originals: Exchange['originals']
  readonly paidTaxes: readonly Tax[]
  /** Additional collection, refund, or even. */
  readonly type: string
  readonly penalty: PrintedMoney | null
  readonly difference: PrintedMoney | null
}
export type Exchanged = { readonly exchange: Exchange; readonly paidTaxes: readonly Tax[] }
export type Exchanges = {
  readonly any: boolean
  /** The exchange of a passenger, with the payments. */
  readonly of: (item: string, payments: readonly MirPayment[], currency: string) => Exchanged | null
}

/** The exchanges of a file by number. If there is only one, a file with one document needs no number for it. */
export function exchangesOf(mir: Mir, documents: number): Exchanges {
  const items = mir.items('A10')
  const olds = new Map(items.map((item) => [item.line.slice(3, 5), oldOf(item, mir)]))
  const only = documents === 1 && olds.size === 1 ? [...olds.values()][0] : undefined
  return {
    any: olds.size > 0,
    of: (item, payments, currency) => {
      const old = olds.get(item) ?? only
      return old ? { exchange: exchangeOf(old, payments, currency, mir.warn), paidTaxes: old.paidTaxes } : null
    },
  }
}

const oldOf = (item: Item, mir: Mir): Old =>
  NUMBER.test(cutLine(item.line, APOLLO).number) ? oldOfApollo(item, mir) : oldOfGalileo(item, mir)

function oldOfApollo({ line }: Item, { header, warn }: Mir): Old {
  const { number, books, coupons, type, currency, penalty } = cutLine(line, APOLLO)
  const further = followingNumbers(number, (Number(books) || 1) - 1)
  return {
    originals: [{ number, coupons: couponsIn(coupons) }, ...further.map((each) => ({ number: each, coupons: null }))],
    paidTaxes: [],
    type,
    penalty: unlessZero(zeroFilled(currency, penalty, header.decimals, 'penalty of the exchange', warn)),
    difference: null,
  }
}

function oldOfGalileo(item: Item, { header, warn }: Mir): Old {
  const { penalty, type } = cutLine(item.line, GALILEO)
  const fare = item.more.find((line) => line.includes(OLD_FARE_BOXES)) ?? ''
  const currency = printedCurrency(fare.slice(0, 3).trim(), header.currency, 'exchanged fare', warn)
  const { taxes, end } = taxBoxes(fare, Math.max(0, fare.indexOf(OLD_FARE_BOXES)), currency, warn)
  const difference = differenceIn(fare.slice(end))
  const amount = (printed: string, what: string) =>
    unlessZero(zeroFilled(currency, printed, header.decimals, `${what} of the exchange`, warn))
  return {
    originals: item.more.filter((line) => line.startsWith('TI:')).flatMap((line) => originalOf(line, warn)),
    paidTaxes: inDetail(taxes, item, currency, warn),
    type,
    penalty: amount(penalty, 'penalty'),
    difference: amount(difference, 'difference'),
  }
}

/** The two amounts have no blank between them, so they can be separated only if their lengths are known. */
function differenceIn(amounts: string): string {
  if (AMOUNTS_BEHIND.test(amounts)) return amounts.slice(DIFFERENCE.at, DIFFERENCE.at + DIFFERENCE.width).trim()
  const printed = amounts.trim()
  return printed.length <= DIFFERENCE.width ? '' : `${printed}…`
}

function originalOf(line: string, warn: Warn): Exchange['originals'] {
  const { number, checkDigit, coupons } = cutLine(line, OLD_TICKET)
  if (!NUMBER.test(number)) return []
  warnOfCheckDigit(number, checkDigit, warn)
  return [{ number, coupons: couponsIn(coupons) }]
}

export function warnOfCheckDigit(number: string, digit: string, warn: Warn): void {
  if (!/^\d$/.test(digit) || checkDigitHolds(number, digit)) return
  warn('check_digit', `The check digit ${digit} of document ${number} is wrong. Check the number.`)
}

/** Coupons are 1 to 4; other characters are placeholders. */
const couponsIn = (printed: string): string | null => printedText(printed.replace(/[^1-4]/g, ''))

function exchangeOf(old: Old, payments: readonly MirPayment[], currency: string, warn: Warn): Exchange {
  const { originals, type, penalty, difference } = old
  if (originals.length === 0)
    warn('exchange_details', 'The file does not name the document that was exchanged. Enter its number.')
  const paid = sumOfPayments(payments, currency, false)
  const returned = sumOfPayments(payments, currency, true)
  const nothing = { currency: paid?.currency ?? difference?.currency ?? currency, amount: '0' }
  const isCollected = type !== 'R' && type !== 'E'
  const collected = paid ?? (isCollected ? difference : nothing)
  if (collected === null) {
    warn(
      'additional_collection',
      'The file does not contain the amount collected for each exchange. Check the form of payment.',
    )
  }
  return {
    originals,
    additionalCollection: collected,
    fareDifference: null,
    residual: type === 'R' ? (difference ?? unlessZero(returned)) : null,
    penalty,
  }
}

/** The collected or returned amount; null if the file does not contain it for this document alone. */
function sumOfPayments(payments: readonly MirPayment[], currency: string, isRefund: boolean): PrintedMoney | null {
  // The old document, as a form of payment, has its own value.
  const money = payments.filter(({ isOldDocument }) => !isOldDocument)
  const counted = (money.length > 0 ? money : payments).filter((payment) => payment.isRefund === isRefund)
  return sumOf(counted.flatMap(({ amount }) => moneyOf(currency, amount ?? '') ?? []))
}
