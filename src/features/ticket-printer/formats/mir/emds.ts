import {
  type Fare,
  type FormOfPayment,
  NO_FARE,
  type Tax,
  type TicketLeg,
  type TicketService,
} from '../../ticket-file.ts'
import { maskedCode, printedText, withoutCards, withoutLikelyCards } from '../printed.ts'
import { equalSums, mirTaxList, printedMoney, unlessZero } from './amounts.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { NUMBER, numbersUpTo } from './numbers.ts'
import { kindOfPayment } from './payments.ts'
import { type Item, taggedLine } from './sections.ts'

const RATE_AT = 157
const EMD = {
  passenger: [3, 2],
  segment: [5, 2],
  rfic: [13, 1],
  name: [14, 55],
  number: [69, 13],
  lastNumber: [82, 13],
  airline: [95, 2],
  baseCurrency: [97, 3],
  base: [100, 12, 'amount'],
  equivalentCurrency: [112, 3],
  equivalent: [115, 12, 'amount'],
  taxCurrency: [127, 3],
  taxes: [130, 12, 'amount'],
  totalCurrency: [142, 3],
  total: [145, 12],
  rate: [RATE_AT, 13],
  payment: [170, 2],
  approval: [185, 8],
} as const
const COUPON = {
  segment: [5, 2],
  coupon: [7, 1],
  number: [8, 13],
  from: [23, 3],
  rfisc: [33, 3],
  text: [36, 30],
  taxCurrency: [115, 3],
  ticket: [163, 13],
} as const
const COUPON_TAXES = { at: 118, end: 148 } as const
const RATE = /^\d{1,8}\.\d{1,10}$/

/** An EMD from its own sections. */
export type Emd = {
  readonly number: string
  readonly conjunctions: readonly string[]
  readonly name: string
  /** The number of its passenger in the reservation, from 1. */
  readonly passenger: number
  readonly airline: string | null
  readonly fare: Fare
  readonly formOfPayment: FormOfPayment | null
  readonly endorsement: string | null
  readonly associatedWith: string | null
  readonly services: readonly TicketService[]
}

/** The EMDs of a file. A number repeated for each service is one EMD, and its total counts once. */
export function mirEmds(mir: Mir, legs: ReadonlyMap<string, TicketLeg>): Emd[] {
  const emds = mir.items('A29')
  if (emds.length === 0) return []
  const coupons = Map.groupBy(mir.items('A30'), ({ line }) => cutLine(line, COUPON).number)
  const lines = Map.groupBy(emds, ({ line }) => cutLine(line, EMD).number)
  return [...lines].flatMap(([number, items]) => {
    const [first] = items
    if (first && NUMBER.test(number)) {
      const totals = new Set(items.map(({ line }) => cutLine(line, EMD).total))
      if (totals.size > 1) mir.warn('emd_total', `EMD ${number} has several totals. The first one was used. Check it.`)
      return [emdOf(first, items, coupons.get(number) ?? [], legs, mir)]
    }
    mir.warn('unreadable_number', `The number ${number} of an EMD cannot be read. The EMD was left out.`)
    return []
  })
}

function emdOf(
  item: Item,
  items: readonly Item[],
  coupons: readonly Item[],
  legs: ReadonlyMap<string, TicketLeg>,
  mir: Mir,
): Emd {
  const { number, lastNumber, name, airline, passenger, rfic } = cutLine(item.line, EMD)
  const tickets = coupons.map(({ line }) => cutLine(line, COUPON).ticket)
  const related = [...tickets, (taggedLine(item, 'RL-') ?? '').trim().slice(0, 13)]
  const services =
    coupons.length > 0
      ? coupons.map(({ line }) => serviceOfCoupon(line, rfic, legs))
      : items.map(({ line }, at) => serviceOfEmd(line, at + 1, rfic, legs))
  return {
    number,
    conjunctions: numbersUpTo(number, lastNumber),
    name,
    passenger: Number(passenger),
    airline: printedText(airline),
    fare: fareOf(item.line, coupons, mir),
    formOfPayment: paymentOf(item),
    endorsement: printedText(withoutLikelyCards(taggedLine(item, 'ED-') ?? '')),
    associatedWith: related.find((ticket) => NUMBER.test(ticket)) ?? null,
    services,
  }
}

function fareOf(line: string, coupons: readonly Item[], { warn }: Mir): Fare {
  const emd = cutLine(line, EMD)
  const taxTotal = unlessZero(printedMoney(emd.taxCurrency, emd.taxes, 'tax of the EMD', warn))
  const detail = coupons.flatMap((coupon) => {
    const { taxCurrency } = cutLine(coupon.line, COUPON)
    return mirTaxList(coupon.line.slice(COUPON_TAXES.at, COUPON_TAXES.end), taxCurrency, warn)
  })
  const together: Tax[] = taxTotal ? [{ ...taxTotal, code: 'XT', nature: null }] : []
  const addsUp = taxTotal === null || equalSums(detail, together)
  if (!addsUp && detail.length > 0) {
    warn('tax_detail', `The taxes of the coupons of EMD ${emd.number} do not add up to its tax. Check the taxes.`)
  }
  return {
    ...NO_FARE,
    base: printedMoney(emd.baseCurrency, emd.base, 'amount of the EMD', warn),
    equivalent: unlessZero(printedMoney(emd.equivalentCurrency, emd.equivalent, 'equivalent of the EMD', warn)),
    rate: RATE.test(emd.rate) ? emd.rate : null,
    taxes: addsUp ? detail : together,
    total: printedMoney(emd.totalCurrency, totalIn(line, emd), 'total of the EMD', warn),
  }
}

/**
 * The total. The rate can follow without a blank, and a total with fewer decimals than the fare was shifted into it.
 */
function totalIn(
  line: string,
  { total, base, equivalent }: { total: string; base: string; equivalent: string },
): string {
  const isGlued = /^[\d.]{2}$/.test(line.slice(RATE_AT - 1, RATE_AT + 1))
  const decimalsOf = (amount: string) => amount.split('.')[1]?.length ?? 0
  return isGlued && decimalsOf(total) !== decimalsOf(equivalent || base) ? `${total}…` : total
}

function paymentOf(item: Item): FormOfPayment | null {
  const { payment, approval } = cutLine(item.line, EMD)
  const first = `${payment} ${maskedCode(approval)}`.trim()
  const second = printedText(withoutCards(taggedLine(item, 'FP2-') ?? ''))
  if (second !== null) return { kind: 'mixed', text: `${first} + ${second}` }
  return first === '' ? null : { kind: kindOfPayment(payment), text: first }
}

function serviceOfCoupon(line: string, rfic: string, legs: ReadonlyMap<string, TicketLeg>): TicketService {
  const coupon = cutLine(line, COUPON)
  const leg = legs.get(coupon.segment)
  return {
    coupon: Number(coupon.coupon) || 1,
    rfic: printedText(rfic),
    rfisc: printedText(coupon.rfisc),
    text: printedText(coupon.text),
    from: printedText(coupon.from) ?? leg?.from ?? null,
    to: leg?.to ?? null,
  }
}

function serviceOfEmd(line: string, coupon: number, rfic: string, legs: ReadonlyMap<string, TicketLeg>): TicketService {
  const leg = legs.get(cutLine(line, EMD).segment)
  return { coupon, rfic: printedText(rfic), rfisc: null, text: null, from: leg?.from ?? null, to: leg?.to ?? null }
}
