import { type Fare, NO_FARE, type PrintedMoney, type Refund, type Tax } from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { moneyOf, printedAmount } from '../printed.ts'
import { at, type TairRecord, taggedText } from './records.ts'

/** Fare, total and equivalent. */
const MONEY_PLACES = [0, 4, 5] as const
const TAX_PLACES = [1, 2, 3] as const
/** Code and amount, as `YR  200.00`. */
const TAX_CODE_WIDTH = 3
const REFUNDED_TAXES = ['T1-', 'T2-', 'T3-'] as const
const REFUNDED_TAX_CODE_WIDTH = 2

/** A currency with its amount right behind it, as `TRY 1000.00`. */
export const joinedMoney = (printed: string | null): PrintedMoney | null =>
  moneyOf(printed?.slice(0, 3), printed?.slice(3).replace(/^ +/, ''))

/** What a `G` record says of a fare. */
export function tairFare(record: TairRecord): Fare {
  const [base, total, equivalent] = [joinedMoney(at(record, 0)), joinedMoney(at(record, 4)), joinedMoney(at(record, 5))]
  const currency = total?.currency ?? equivalent?.currency ?? base?.currency
  const taxes = TAX_PLACES.flatMap((place) => taxOf(at(record, place), TAX_CODE_WIDTH, currency))
  return { ...NO_FARE, base, equivalent, taxes, total }
}

/** Whether something stands behind a tag where an amount should be that is none. */
export const isSpoilt = (record: TairRecord, tags: readonly string[]): boolean =>
  tags.some((tag) => taggedText(record, tag) !== null && joinedMoney(taggedText(record, tag)) === null)

/** The same of a `G` record. */
export function isSpoiltFare(record: TairRecord): boolean {
  const { base, equivalent, taxes, total } = tairFare(record)
  const printed = TAX_PLACES.filter((place) => /[1-9]/.test(at(record, place)))
  const money = [base, total, equivalent]
  return taxes.length < printed.length || MONEY_PLACES.some((place, which) => at(record, place) !== '' && !money[which])
}

function taxOf(printed: string, codeWidth: number, currency: string | undefined): Tax[] {
  const money = moneyOf(currency, printed.slice(codeWidth))
  const code = printed.slice(0, codeWidth).trim()
  return money && code !== '' && Number(money.amount) > 0 ? [{ ...money, code, nature: null }] : []
}

/** What a `Y` record says of the airline's own fees. */
export function tairFees(record: TairRecord | undefined): readonly Tax[] {
  const money = joinedMoney(taggedText(record, 'TOB-'))
  return money && Number(money.amount) > 0 ? [{ ...money, code: 'OB', nature: null }] : []
}

/** What a `J` record says of a refund. */
export function refundOf(record: TairRecord, coupons: string | null): Refund {
  const currency = taggedText(record, 'TFC-') ?? taggedText(record, 'RFC-') ?? undefined
  const money = (tag: string): PrintedMoney | null => moneyOf(currency, taggedText(record, tag) ?? undefined)
  return {
    ...BLANK_REFUND,
    refundable: moneyOf(taggedText(record, 'RFC-') ?? currency, taggedText(record, 'RF-') ?? undefined),
    penalty: money('AP-'),
    taxes: REFUNDED_TAXES.flatMap((tag) => taxOf(taggedText(record, tag) ?? '', REFUNDED_TAX_CODE_WIDTH, currency)),
    total: money('TF-'),
    coupons,
  }
}

/** Whether a `J` record holds something where an amount should be that is none. */
export function isSpoiltRefund(record: TairRecord): boolean {
  const { refundable, penalty, total, taxes } = refundOf(record, null)
  const money = { 'RF-': refundable, 'AP-': penalty, 'TF-': total }
  const printed = REFUNDED_TAXES.filter((tag) => /[1-9]/.test(taggedText(record, tag) ?? ''))
  return (
    taxes.length < printed.length ||
    Object.entries(money).some(([tag, read]) => taggedText(record, tag) !== null && read === null)
  )
}

/** Commission as an amount, behind a sign of what it is of, or as a percentage. */
export function tairCommission(record: TairRecord | undefined): { rate: string | null; amount: string | null } | null {
  const amount = printedAmount(taggedText(record, 'CA-')?.slice(1))
  const rate = printedAmount(taggedText(record, 'CP-') ?? undefined)
  return amount === null && rate === null ? null : { rate, amount }
}
