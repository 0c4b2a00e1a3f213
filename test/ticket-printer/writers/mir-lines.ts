import { sumOf } from './any.ts'
import { lay, money, shortDay, two } from './mir-fields.ts'
import type { Box, MirEmd, MirExchange, MirFare, MirLeg, MirPayment, MirRefund } from './mir-scenario.ts'

const taxItem = ({ code, amount }: Box): string => amount.padStart(8) + code.padEnd(2)

/** At most three boxes; the last one sums up the rest, which another line has in detail. */
function boxes(taxes: readonly Box[]): { boxes: string; detail: string[] } {
  const print = (shown: readonly Box[]) => shown.map((tax, at) => `T${at + 1}:${taxItem(tax)}`).join('')
  if (taxes.length <= 3) return { boxes: print(taxes), detail: [] }
  const rest = taxes.slice(2)
  const together = { code: 'XT', amount: sumOf(rest.map(({ amount }) => amount)) }
  return { boxes: print([...taxes.slice(0, 2), together]), detail: [`IT:${rest.map(taxItem).join('')}`] }
}

export function fareLines(fare: MirFare, item: number): string[] {
  const { boxes: printed, detail } = boxes(fare.taxes)
  const exempt = fare.exempt ? `T${Math.min(fare.taxes.length, 3) + 1}:${'EXEMPT'.padStart(8)}${fare.exempt}` : ''
  const main = lay([
    [0, 3, 'A07'],
    [3, 2, two(item)],
    ...money(5, fare.mark ? { currency: fare.total.currency, amount: fare.mark } : fare.base),
    ...money(20, fare.total),
    ...money(35, fare.equivalent),
  ])
  const net = fare.netInLine ? `NR:${fare.netInLine.padStart(8)}` : ''
  const taxed = printed + exempt
  return [main + net + (taxed === '' ? '' : fare.total.currency + taxed), ...detail]
}

/** The selling fare: a line of A07 with its level before the amounts. */
export function sellingLines({ taxes, selling }: MirFare, item: number): string[] {
  if (!selling) return []
  const [line = '', ...detail] = fareLines({ ...selling, taxes }, item)
  return [`A28${line.slice(3, 5)}S${line.slice(5)}`, ...detail]
}

const CALCULATION_WIDTH = 61
/** The text of a fare calculation, cut at the end of a line. */
export function calculationLines(label: string, { calculation = '' }: MirFare, item: number): string[] {
  const [first = '', ...more] = calculation.match(new RegExp(`.{1,${CALCULATION_WIDTH}}`, 'g')) ?? []
  return [`${label}${two(item)}0${first}`, ...more]
}

export function basisLine(fare: MirFare, item: number, leg: MirLeg, segment: number): string {
  const [first = '', second] = fare.endorsements ?? []
  return lay([
    [0, 3, 'A08'],
    [3, 2, two(item)],
    [5, 2, two(segment)],
    [7, 8, leg.fareBasis],
    [15, 8, '00000000'],
    [23, 7, leg.notValidBefore && shortDay(leg.notValidBefore)],
    [30, 7, leg.notValidAfter && shortDay(leg.notValidAfter)],
    [43, 2, 'F:'],
    [45, 15, leg.fareBasis],
    [60, 2, 'E:'],
    [62, second ? 29 : 60, first],
    [91, second ? 2 : 0, 'E:'],
    [93, second ? 29 : 0, second],
    [122, 2, 'B:'],
    [124, 3, leg.baggage],
  ])
}

export function exchangeLines(exchange: MirExchange, item: number, iataNumber: string): string[] {
  const { boxes: printed, detail } = boxes(exchange.taxes)
  const filled = [1, 2, 3, 4, 5].slice(printed.length / 13).map((box) => `T${box}:${' '.repeat(10)}`)
  return [
    lay([
      [0, 3, 'A10'],
      [3, 2, two(item)],
      [5, 7, shortDay(exchange.day)],
      [12, 8, iataNumber],
      [20, 4, 'IST'],
      [42, 19, 'S'],
      [61, 9, exchange.penalty, exchange.penalty ? 'zeros' : 'right'],
      [79, 1, exchange.type],
    ]),
    `TI:${exchange.original}${exchange.checkDigit ?? ' '}${exchange.coupons}`,
    [
      exchange.currency + exchange.base.padStart(12, '0'),
      '   ',
      printed + filled.join(''),
      exchange.total.padStart(12, '0') + exchange.difference.padStart(12, '0'),
    ].join(''),
    ...detail,
  ]
}

export const paymentLine = (payment: MirPayment): string =>
  lay([
    [0, 3, 'A11'],
    [3, 2, payment.type],
    [5, 12, payment.amount, 'right'],
    [17, 1, payment.isRefund ? 'Y' : 'N'],
    [18, 2, payment.card?.company],
    [20, 20, payment.card?.number],
    [40, 4, payment.card?.expires],
    [44, 8, payment.card?.approval],
  ])
    .padEnd(55)
    .concat(
      payment.passengers ? `P:${payment.passengers.map(two).join('')}` : '',
      payment.text ? `F:${payment.text}` : '',
    )

/** The boxes of a refund; the third may be blank if the detail has the rest. */
function refundBoxes({ taxes, isBoxBlank }: MirRefund): { boxes: string; detail: string[] } {
  const { boxes: printed, detail } = boxes(taxes)
  const third = printed.indexOf('T3:')
  return { boxes: isBoxBlank && detail.length > 0 ? `${printed.slice(0, third)}T3:` : printed, detail }
}

export function refundLines(refund: MirRefund): string[] {
  const { boxes: printed, detail } = refundBoxes(refund)
  const right = (amount: string) => amount.padStart(8)
  return [
    lay([
      [0, 3, 'A23'],
      [3, 14, refund.number + refund.checkDigit],
      [17, 1, '-'],
      [18, 14, refund.last ?? refund.number + refund.checkDigit],
      [32, 7, shortDay(refund.issuedOn)],
      [39, 9, '000001668'],
      [48, 33, refund.name],
      [81, 1, 'C'],
    ]),
    `TI:${refund.coupons}/////`,
    `BF:${refund.currency}${right(refund.base)}${printed}`,
    ...detail,
    `AU:${refund.authority ?? ''}`,
    ...(refund.commission ? [`CR:${refund.commission.rate.padStart(5)}${right(refund.commission.amount)}`] : []),
    `PF:${right(refund.penalty)}`,
    `RA:${right(refund.used)}${right(refund.total)}${right('0.00')}${right('0.00')}${refund.currency}${right(refund.total)}`,
    ...(refund.paidBack ? [`FP1:${refund.paidBack.type.padEnd(2)}${refund.paidBack.number.padEnd(28)}`] : []),
  ]
}

export function emdLines(emd: MirEmd): string[] {
  const main = lay([
    [0, 3, 'A29'],
    [3, 2, two(emd.passenger)],
    [5, 2, two(emd.segment)],
    [7, 4, emd.service],
    [11, 1, 'A'],
    [12, 1, emd.isStandalone ? 'S' : 'A'],
    [13, 1, emd.rfic],
    [14, 55, emd.name],
    [69, 13, emd.number],
    [95, 2, emd.airline],
    ...money(97, emd.base),
    ...money(112, emd.equivalent),
    ...money(127, emd.tax),
    ...money(142, emd.total),
    [157, 13, emd.rate],
    [170, 2, emd.payment],
    [172, 12, emd.total.amount, 'right'],
    [184, 1, 'N'],
    [185, 8, ''],
  ])
  return [main, ...(emd.endorsement ? [`ED-${emd.endorsement}`] : []), ...(emd.related ? [`RL-${emd.related}`] : [])]
}

export const couponLine = (emd: MirEmd, coupon: MirEmd['coupons'][number], at: number): string =>
  lay([
    [0, 3, 'A30'],
    [3, 2, two(emd.passenger)],
    [5, 2, two(coupon.segment)],
    [7, 1, String(at)],
    [8, 13, emd.number],
    [21, 2, emd.airline],
    [23, 3, coupon.from],
    [31, 2, '01'],
    [33, 3, coupon.rfisc],
    [36, 30, coupon.text],
    ...money(85, coupon.total),
    [115, 3, coupon.taxes ? coupon.total.currency : ''],
    [118, 30, (coupon.taxes ?? []).map(taxItem).join('')],
    ...money(148, coupon.total),
    [163, 13, coupon.ticket],
  ])
