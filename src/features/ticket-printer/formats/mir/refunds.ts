import type { FormOfPayment, PrintedMoney, Refund } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { printedAmount, printedText, withoutCards } from '../printed.ts'
import { remainderOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { equalSums, inDetail, mirCommission, printedCurrency, printedMoney, taxBoxes, unlessZero } from './amounts.ts'
import { cutLine } from './columns.ts'
import { warnOfCheckDigit } from './exchanges.ts'
import type { Mir } from './mir.ts'
import { NUMBER, numbersUpTo } from './numbers.ts'
import { kindOfPayment } from './payments.ts'
import { refundedTotals } from './refunded-totals.ts'
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
const PENALTY = { penalty: [0, 8, 'amount'] } as const
const PAID_BACK = { type: [0, 2], number: [2, 28] } as const

/** A line A23: a refunded document with its amounts. */
export type Refunded = {
  readonly number: string
  readonly conjunctions: readonly string[]
  readonly name: string
  readonly refund: Refund
  readonly formOfPayment: FormOfPayment | null
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
    return [
      {
        number,
        conjunctions: numbersUpTo(number, lastNumber),
        name,
        refund: refundOf(item, number, mir),
        formOfPayment: paidBackBy(taggedLine(item, 'FP1:') ?? ''),
      },
    ]
  })
}

function refundOf(item: Item, number: string, mir: Mir): Refund {
  const { header, today, warn } = mir
  const fare = taggedLine(item, 'BF:') ?? ''
  const boxesAt = fare.includes(BOXES) ? fare.indexOf(BOXES) : fare.length
  const totals = totalsOf(taggedLine(item, 'RA:') ?? '', warn)
  const recall = cutLine(taggedLine(item, 'CR:') ?? '', COMMISSION)
  const fareCurrency = printedCurrency(fare.slice(0, 3).trim(), header.currency, 'refunded fare', warn)
  const currency = printedCurrency(totals.currency, fareCurrency, 'refund', warn)
  const money = (printed: string, what: string): PrintedMoney | null => printedMoney(currency, printed, what, warn)
  const gross = printedMoney(fareCurrency, fare.slice(3, boxesAt).trim(), 'fare of the refund', warn)
  const used = unlessZero(money(totals.used, 'used fare'))
  const penalty = unlessZero(money(cutLine(taggedLine(item, 'PF:') ?? '', PENALTY).penalty, 'penalty of the refund'))
  const taxes = inDetail(taxBoxes(fare, boxesAt, currency, warn).taxes, item, currency, warn)
  const total = money(totals.total || totals.net, 'total of the refund')
  const isUsedKnown = printedAmount(totals.used) !== null
  const refundable =
    (gross?.currency === currency && isUsedKnown ? remainderOf([gross], used ? [used] : []) : null) ??
    (total && remainderOf(penalty ? [total, penalty] : [total], taxes))
  if (refundable && total && !equalSums([refundable, ...taxes], penalty ? [total, penalty] : [total])) {
    const message = `The amounts of the refund of ${number} do not add up to its total. Check them.`
    warn('refund_total', message)
  }
  return {
    gross,
    used,
    refundable,
    penalty,
    otherFees: null,
    taxes,
    taxTotal: null,
    commissionRecall: mirCommission(printedAmount(recall.rate), printedAmount(recall.amount)),
    total,
    coupons: couponsIn(taggedLine(item, 'TI:') ?? ''),
    originallyIssuedOn: fullDay(cutLine(item.line, REFUND).issuedOn, header.day ?? today),
  }
}

const NO_TOTALS = { used: '', net: '', currency: '', total: '' }

function totalsOf(line: string, warn: Warn) {
  const totals = refundedTotals(line)
  if (!totals) warn('unreadable_amount', `The totals of the refund cannot be read: ${withoutCards(line.trim())}.`)
  return totals ?? NO_TOTALS
}

/** The form of the refund: a code as in A11, or that of a card, before the card number. */
function paidBackBy(printed: string): FormOfPayment | null {
  const { type, number } = cutLine(printed, PAID_BACK)
  if (type === '') return null
  const isCard = /^\d{4}|^[X*]{4}/.test(number)
  return {
    kind: kindOfPayment(type) ?? (isCard ? 'card' : null),
    text: withoutCards(`${type} ${number}`.trim()),
  }
}

/** The coupons of each document of a conjunction, `1234/12///`, without the trailing slashes. */
function couponsIn(printed: string): string | null {
  const each = printed.split('/').map((coupons) => coupons.replace(/[^1-4]/g, ''))
  return printedText(each.slice(0, each.findLastIndex((coupons) => coupons !== '') + 1).join('/'))
}
