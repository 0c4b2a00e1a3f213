import type { Commission, Refund } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { sumOf } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { isSameMoney, moneyBeside, moneyInText } from './amounts.ts'
import { airTaxList, type LinesOfTag, type TaxItem, taxItemOf } from './fares.ts'
import { field, type Line } from './lines.ts'
import { paidAmounts } from './payment.ts'

/** Fields of RFD. Amounts after the paid fare are printed without their currency. */
const RFD = { issued: 1, paid: 3, used: 4, refundable: 5, penalty: 8, otherFees: 10, taxes: 11, total: 12 } as const
/** `H` items are the airports of US passenger facility charges, not taxes. */
const NO_TAX = 'H'
/** Booklet and the status of its coupons: `1-0200`, where 0 is not refunded. */
const REFUNDED = /\d-(\d{4})/g

type Parts = {
  readonly of: LinesOfTag
  readonly header: { readonly created: string | null; readonly issuedOn: string | null }
  readonly commission: Commission | null
  readonly today: string
}

/** The refund of a document, from RFD; without one, only from the payment. */
export function readRefund({ of, header, commission, today }: Parts, warn: Warn): Refund {
  const data = of('RFD')[0]
  const payments = new Set(of('FP').map((line) => field(line, 0)))
  const paidBack = sumOf([...payments].flatMap(paidAmounts))
  const amounts = amountsOf(data, warn)
  if (!amounts.total) {
    const why = 'The refund has no total'
    warn(
      'refund_total_missing',
      `${why}: ${paidBack ? 'the total of its form of payment was used' : 'enter the total by hand'}.`,
    )
  } else if (paidBack && !isSameMoney(paidBack, amounts.total)) {
    const [total, paid] = [amounts.total, paidBack].map(({ currency, amount }) => `${currency} ${amount}`)
    warn(
      'refund_total_differs',
      `The refund is ${total}, but its form of payment has ${paid}. Check the refunded amount.`,
    )
  }
  return {
    ...amounts,
    total: amounts.total ?? paidBack,
    taxes: airTaxList(of('KRF').flatMap(taxItems), warn),
    commissionRecall: commission,
    coupons: couponsOf(of('TBS')),
    originallyIssuedOn: fullDay(field(data, RFD.issued), today) ?? (data ? null : createdBefore(header)),
  }
}

type Amounts = Pick<Refund, 'gross' | 'used' | 'refundable' | 'penalty' | 'otherFees' | 'taxTotal' | 'total'>

function amountsOf(data: Line | undefined, warn: Warn): Amounts {
  const currency = field(data, RFD.paid).slice(0, 3)
  const at = (index: number, what: string) => moneyBeside(currency, field(data, index), what, warn)
  return {
    gross: moneyInText(field(data, RFD.paid), 'fare paid', warn),
    used: at(RFD.used, 'used fare'),
    refundable: at(RFD.refundable, 'fare to refund'),
    penalty: at(RFD.penalty, 'cancellation penalty'),
    otherFees: at(RFD.otherFees, 'other fee'),
    taxTotal: moneyBeside(currency, field(data, RFD.taxes).slice(2), 'taxes to refund', warn), // behind the code XT
    total: at(RFD.total, 'refund'),
  }
}

const taxItems = (line: Line): TaxItem[] =>
  line.fields
    .slice(1)
    .map(taxItemOf)
    .filter((item) => item.amount !== '' && item.indicator !== NO_TAX)

/** The refunded coupons of one booklet; null if there are several booklets. */
function couponsOf(lines: readonly Line[]): string | null {
  const booklets = lines.flatMap((line) => [...line.fields.join(';').matchAll(REFUNDED)].map((match) => match[1] ?? ''))
  return booklets.map((coupons) => coupons.replaceAll('0', '')).join('/') || null
}

/** In a refund, the date of the reservation is that of the document, unless it is the day of the refund. */
const createdBefore = ({ created, issuedOn }: Parts['header']): string | null => (created === issuedOn ? null : created)
