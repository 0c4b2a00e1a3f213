import { type Fare, type Money, NO_FARE, type Refund, type Tax } from '../../ticket-file.ts'
import { BLANK_REFUND } from '../blank.ts'
import { amountOf, moneyOf } from '../printed.ts'
import { at, type TairRecord, tagged } from './records.ts'

/** Fare, total and equivalent. */
const MONEY_PLACES = [0, 4, 5] as const
const TAX_PLACES = [1, 2, 3] as const
/** Code and amount, as `YR  200.00`. */
const TAX_CODE_WIDTH = 3
const REFUNDED_TAXES = ['T1-', 'T2-', 'T3-'] as const
const REFUNDED_TAX_CODE_WIDTH = 2

/** A currency with its amount right behind it, as `TRY 1000.00`. */
export const joined = (printed: string | null): Money | null =>
  moneyOf(printed?.slice(0, 3), printed?.slice(3).replace(/^ +/, ''))

/** What a `G` record says of a fare. */
export function fareOf(record: TairRecord): Fare {
  const [base, total, equivalent] = [joined(at(record, 0)), joined(at(record, 4)), joined(at(record, 5))]
  const currency = total?.currency ?? equivalent?.currency ?? base?.currency
  const taxes = TAX_PLACES.flatMap((place) => taxOf(at(record, place), TAX_CODE_WIDTH, currency))
  return { ...NO_FARE, base, equivalent, taxes, total }
}

/** Whether something stands behind a tag where an amount should be that is none. */
export const isSpoilt = (record: TairRecord, tags: readonly string[]): boolean =>
  tags.some((tag) => tagged(record, tag) !== null && joined(tagged(record, tag)) === null)

/** The same of a `G` record. */
export function isSpoiltFare(record: TairRecord): boolean {
  const { base, equivalent, taxes, total } = fareOf(record)
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
export function feesOf(record: TairRecord | undefined): readonly Tax[] {
  const money = joined(tagged(record, 'TOB-'))
  return money && Number(money.amount) > 0 ? [{ ...money, code: 'OB', nature: null }] : []
}

/** What a `J` record says of a refund. */
export function refundOf(record: TairRecord, coupons: string | null): Refund {
  const currency = tagged(record, 'TFC-') ?? tagged(record, 'RFC-') ?? undefined
  const money = (tag: string): Money | null => moneyOf(currency, tagged(record, tag) ?? undefined)
  return {
    ...BLANK_REFUND,
    refundable: moneyOf(tagged(record, 'RFC-') ?? currency, tagged(record, 'RF-') ?? undefined),
    penalty: money('AP-'),
    taxes: REFUNDED_TAXES.flatMap((tag) => taxOf(tagged(record, tag) ?? '', REFUNDED_TAX_CODE_WIDTH, currency)),
    total: money('TF-'),
    coupons,
  }
}

/** Whether a `J` record holds something where an amount should be that is none. */
export function isSpoiltRefund(record: TairRecord): boolean {
  const { refundable, penalty, total, taxes } = refundOf(record, null)
  const money = { 'RF-': refundable, 'AP-': penalty, 'TF-': total }
  const printed = REFUNDED_TAXES.filter((tag) => /[1-9]/.test(tagged(record, tag) ?? ''))
  return (
    taxes.length < printed.length ||
    Object.entries(money).some(([tag, read]) => tagged(record, tag) !== null && read === null)
  )
}

/** Commission as an amount, behind a sign of what it is of, or as a percentage. */
export function commissionOf(record: TairRecord | undefined): { rate: string | null; amount: string | null } | null {
  const amount = amountOf(tagged(record, 'CA-')?.slice(1))
  const rate = amountOf(tagged(record, 'CP-') ?? undefined)
  return amount === null && rate === null ? null : { rate, amount }
}
