import { fixed } from '../../../../platform/money.ts'
import type { Fare, FormOfPayment, PrintedMoney, Tax, TicketService } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { fullDay } from '../days.ts'
import { followingNumbers, moneyOf, printedAmount, printedText, withoutLikelyCards } from '../printed.ts'
import { added } from '../sums.ts'
import type { Warn } from '../warnings.ts'
import { iurCurrencyOf, TAXES_TOGETHER, warnOfAmount } from './amounts.ts'
import { cutRecord, EMD, type RecordFields } from './columns.ts'
import { couponsOf, type EmdCoupon, hasCoupons, textsOf } from './emd-coupons.ts'
import { airlineFor, associatedNumber, printedNumber } from './numbers.ts'
import { paymentOf } from './payments.ts'
import type { Draft, Reading } from './reading.ts'
import { type IurRecord, iurRecords } from './records.ts'

type Emd = RecordFields<typeof EMD>

const AIRPORT = /^[A-Z]{3}$/

/** The documents of the EMD records. Coupons have the services; amounts are those of the whole document. */
export function iurEmds({ file, header, warn, reference }: Reading, isVoid: boolean): Draft[] {
  return iurRecords(file, 'MG').flatMap((record) => {
    const emd = cutRecord(record.line, EMD)
    const number = printedNumber(emd.airlineNumber, emd.serial, emd.checkDigit, warn)
    if (number === null) {
      warn(
        'unreadable_number',
        `An EMD of ${header.pnr || 'the file'} does not have a 13-digit number: "${emd.airlineNumber}${emd.serial}".`,
      )
      return []
    }
    const outline: Draft = {
      ...BLANK_DOCUMENT,
      number,
      kind: 'emd',
      conjunctions: followingNumbers(number, /^\d$/.test(emd.conjunctions) ? Number(emd.conjunctions) : 0),
      airline: airlineFor(emd.airline, number),
      holder: { item: emd.passenger, ptc: printedText(emd.ptc) },
    }
    if (!isVoid && !/^\d\d$/.test(emd.coupons)) {
      warn(
        'out_of_columns',
        `The record of EMD ${number} is damaged: its fields are not in their columns. Enter its amounts by hand.`,
      )
      return [outline]
    }
    return [isVoid ? outline : { ...outline, ...contentOf(record, emd, number, reference, warn) }]
  })
}

function contentOf(record: IurRecord, emd: Emd, number: string, reference: string, warn: Warn): Partial<Draft> {
  const [coupons, texts] = [couponsOf(record), textsOf(record)]
  if (!hasCoupons(record)) {
    warn(
      'coupons',
      `EMD ${number} declares ${emd.coupons || 'no'} coupons, but the file has ${coupons.length}. Check what the EMD is for.`,
    )
  }
  const currency = iurCurrencyOf(emd.equivalent === '' ? emd.baseCurrency : emd.equivalentCurrency)
  const commission = printedAmount(emd.commission)
  return {
    issuedOn: fullDay(emd.issuedOn, reference),
    fare: fareOf(emd, coupons, currency, { number, warn }),
    commission: commission === null ? null : { rate: null, amount: commission },
    formOfPayment: paymentFor(emd),
    tourCode: printedText(emd.tourCode),
    fareCalculation: printedText(withoutLikelyCards(texts.calculation)),
    endorsement: printedText(withoutLikelyCards(texts.endorsement)),
    services: coupons.map((coupon) => serviceOf(coupon, emd)),
    associatedWith: associatedNumber(emd.associated, emd.associatedCheckDigit, warn),
  }
}

const serviceOf = ({ number, rfisc, text: printed, from, to }: EmdCoupon, { rfic }: Emd): TicketService => ({
  coupon: Number(number),
  rfic: printedText(rfic),
  rfisc: printedText(rfisc),
  text: printedText(withoutLikelyCards(printed)),
  from: AIRPORT.test(from) ? from : null,
  to: AIRPORT.test(to) ? to : null,
})

type About = { readonly number: string; readonly warn: Warn }
/** The total is not printed. It is the equivalent fare, or the fare, plus the taxes. */
function fareOf(emd: Emd, coupons: readonly EmdCoupon[], currency: string | null, { number, warn }: About): Fare {
  const moneyIn = (amount: string | null) => moneyOf(currency ?? '', amount ?? '')
  const [base, equivalent, taxes] = [printedAmount(emd.base), printedAmount(emd.equivalent), printedAmount(emd.taxes)]
  for (const [what, printed, amount] of [
    ['fare', emd.base, base],
    ['equivalent fare', emd.equivalent, equivalent],
    ['taxes', emd.taxes, taxes],
  ] as const) {
    if (amount === null && printed !== '') warnOfAmount(warn, what, number, printed)
  }
  const price = equivalent ?? (emd.equivalent === '' ? base : null)
  const isReadable = price !== null && (taxes !== null || emd.taxes === '')
  return {
    base: moneyOf(emd.baseCurrency, emd.base),
    equivalent: moneyOf(emd.equivalentCurrency, emd.equivalent),
    rate: null,
    taxes: taxesOf(coupons, moneyIn(taxes)),
    paidTaxes: [],
    exempt: [],
    fees: [],
    total: isReadable ? moneyIn(added([price, taxes ?? '0'])) : null,
  }
}

/** The taxes of the coupons by code, if their sum equals the taxes of the document; otherwise one uncoded sum. */
function taxesOf(coupons: readonly EmdCoupon[], sum: PrintedMoney | null): Tax[] {
  if (sum === null || fixed(sum.amount) === 0n) return []
  const each = coupons.flatMap(({ taxCode: code, tax }): Tax[] => {
    const amount = printedAmount(tax)
    return amount !== null && code !== '' ? [{ code, currency: sum.currency, amount, nature: null }] : []
  })
  const isWhole = each.length > 0 && fixed(added(each.map(({ amount }) => amount))) === fixed(sum.amount)
  return isWhole ? each : [{ code: TAXES_TOGETHER, ...sum, nature: null }]
}

function paymentFor({ payment, card, cardNumber }: Emd): FormOfPayment | null {
  return payment === 'CC' ? paymentOf(`${payment}${card}${cardNumber}`) : paymentOf(payment)
}
