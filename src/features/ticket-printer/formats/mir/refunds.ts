import type { PrintedMoney, Refund } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { printedAmount, printedText } from '../printed.ts'
import { inDetail, mirCommission, printedMoney, taxBoxes, unlessZero } from './amounts.ts'
import { cutLine } from './columns.ts'
import { warnOfCheckDigit } from './exchanges.ts'
import type { Mir } from './mir.ts'
import { NUMBER, numbersUpTo } from './numbers.ts'
import { type Item, taggedLine } from './sections.ts'

const REFUND = {
  number: [3, 13],
  checkDigit: [16, 1],
  lastNumber: [18, 13],
  issuedOn: [32, 7],
  name: [48, 33],
} as const
const BOXES = 'T1:'
const COMMISSION = { rate: [0, 5], amount: [5, 8] } as const
const PENALTY = { penalty: [0, 8] } as const
const AMOUNTS = { used: [0, 8], refundable: [8, 8], currency: [32, 3], total: [35, 8] } as const

/** A line A23: a document that is given back, and for what. */
export type Refunded = {
  readonly number: string
  readonly conjunctions: readonly string[]
  readonly name: string
  readonly refund: Refund
}

export function refundsOf(mir: Mir): Refunded[] {
  return mir.items('A23').flatMap((item) => {
    const { number, checkDigit, lastNumber, name } = cutLine(item.line, REFUND)
    if (!NUMBER.test(number)) {
      mir.warn(
        'unreadable_number',
        `The number ${number} of a refunded document cannot be read. The document was left out.`,
      )
      return []
    }
    warnOfCheckDigit(number, checkDigit, mir.warn)
    return [{ number, conjunctions: numbersUpTo(number, lastNumber), name, refund: refundOf(item, mir) }]
  })
}

function refundOf(item: Item, mir: Mir): Refund {
  const { header, today, warn } = mir
  const fare = taggedLine(item, 'BF:') ?? ''
  const boxesAt = fare.includes(BOXES) ? fare.indexOf(BOXES) : fare.length
  const amounts = cutLine(taggedLine(item, 'RA:') ?? '', AMOUNTS)
  const recall = cutLine(taggedLine(item, 'CR:') ?? '', COMMISSION)
  const { penalty } = cutLine(taggedLine(item, 'PF:') ?? '', PENALTY)
  const currency = amounts.currency || fare.slice(0, 3).trim() || header.currency
  const money = (printed: string, what: string): PrintedMoney | null => printedMoney(currency, printed, what, warn)
  const { taxes } = taxBoxes(fare, boxesAt, currency, warn)
  return {
    gross: money(fare.slice(3, boxesAt).trim(), 'fare of the refund'),
    used: unlessZero(money(amounts.used, 'used fare')),
    refundable: money(amounts.refundable, 'refundable fare'),
    penalty: unlessZero(money(penalty, 'penalty of the refund')),
    otherFees: null,
    taxes: inDetail(taxes, item, currency, warn),
    taxTotal: null,
    commissionRecall: mirCommission(printedAmount(recall.rate), printedAmount(recall.amount)),
    total: money(amounts.total, 'total of the refund'),
    coupons: couponsIn(taggedLine(item, 'TI:') ?? ''),
    originallyIssuedOn: fullDay(cutLine(item.line, REFUND).issuedOn, header.day ?? today),
  }
}

/** The coupons of each document of a conjunction, `1234/12///`, without the slashes behind the last. */
function couponsIn(printed: string): string | null {
  const each = printed.split('/').map((coupons) => coupons.replace(/[^1-4]/g, ''))
  return printedText(each.slice(0, each.findLastIndex((coupons) => coupons !== '') + 1).join('/'))
}
