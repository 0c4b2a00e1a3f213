import { currencyDigits, fixed } from '../../../../platform/money.ts'
import type { PrintedMoney, Tax } from '../../ticket-file.ts'
import { moneyOf } from '../printed.ts'
import { sumOf } from '../sums.ts'
import { descendants, element, elements, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The elements of a price that are amounts. */
const AMOUNTS = ['BaseAmount', 'EquivAmount', 'Amount', 'SimpleCurrencyPrice', 'TotalAmount'] as const
/** A tax whose name contains its passengers, `GENERAL_TAXES_PAX_1_2`. */
const OF_PASSENGERS = /_PAX(?:_\d+)+$/
/** A group of taxes, whose description contains its codes: `Fuel surcharge (YQ/YR)`. */
const GROUP = /^TAX_GROUP_\d+$/
const GROUPED = /\(([A-Z\d]{2}(?:\/[A-Z\d]{2})*)\)/
/** Parts of a total besides fare and taxes. */
const CHARGES = ['Fee', 'Surcharge'] as const

/** The amount of an element, with its currency: `Code` in version 17.2, `CurCode` later. */
export function moneyInElement(printed: TicketXmlElement | undefined): PrintedMoney | null {
  if (!printed) return null
  const currency = printed.attributes.CurCode ?? printed.attributes.Code ?? ''
  return moneyOf(currency, withoutEndlessZeros(printed.text, currencyDigits(currency)))
}

/** Some airlines print twenty decimals. Zeros beyond the decimals of the currency are dropped. */
function withoutEndlessZeros(amount: string, digits: number): string {
  const [whole = '', decimals = ''] = amount.split('.', 2)
  if (!/^0+$/.test(decimals.slice(digits))) return amount
  return digits === 0 ? whole : `${whole}.${decimals.slice(0, digits)}`
}

/** Whether a printed amount cannot be parsed. Zero needs no currency. */
export const isAmountSpoilt = (price: TicketXmlElement | undefined): boolean =>
  price !== undefined &&
  AMOUNTS.flatMap((name) => descendants(price, name)).some(
    (each) => each.children.length === 0 && !moneyInElement(each) && !/^0+(?:\.0+)?$/.test(each.text),
  )

/** The total of a price. Version 17.2 wraps it in its form, except for that of an order. */
export function totalIn(price: TicketXmlElement | undefined): PrintedMoney | null {
  if (!price) return null
  const total = element(price, 'TotalAmount') ?? element(price, 'Total') ?? price
  return moneyInElement(
    element(total, 'SimpleCurrencyPrice') ??
      element(total, 'DetailCurrencyPrice', 'Total') ??
      element(total, 'Amount') ??
      total,
  )
}

export function taxesOfPrice(price: TicketXmlElement): readonly Tax[] {
  const printed = [
    ...elements(price, 'Taxes', 'Breakdown', 'Tax'),
    ...elements(price, 'Taxes', 'Tax'),
    ...elements(price, 'TaxSummary', 'Tax'),
  ]
  if (printed.length > 0) return printed.flatMap((tax) => taxOf(tax, textAt(tax, 'TaxCode')))
  const sums = [...elements(price, 'Taxes', 'Total'), ...elements(price, 'TaxSummary', 'TotalTaxAmount')]
  const sum = sumOf(sums.map(moneyInElement))
  return sum && fixed(sum.amount) > 0n ? [{ ...sum, code: 'XT', nature: null }] : []
}

function taxOf(tax: TicketXmlElement, code: string | null): Tax[] {
  const money = moneyInElement(element(tax, 'Amount'))
  return money ? [{ ...money, code: codeOf(code, firstTextAt(tax, 'TaxName')), nature: null }] : []
}

function codeOf(printed: string | null, name: string | null): string {
  const code = printed?.replace(OF_PASSENGERS, '') ?? 'XT'
  return (GROUP.test(code) ? GROUPED.exec(name ?? '')?.[1] : null) ?? code
}

/** Fees and surcharges. They are part of the total if the total exceeds fare and taxes by exactly their sum. */
export function chargesIn(
  price: TicketXmlElement,
  fare: PrintedMoney | null,
  taxes: readonly Tax[],
  total: PrintedMoney | null,
): readonly Tax[] {
  const printed = CHARGES.flatMap((name) => descendants(price, name).filter(({ children }) => children.length > 0))
  const charges = printed.flatMap((charge): Tax[] => {
    const money = moneyInElement(element(charge, 'Amount')) ?? totalIn(charge)
    const code = firstTextAt(charge, 'FeeCode', 'Designator', 'DesigText', 'Code') ?? charge.name.toUpperCase()
    return money && fixed(money.amount) > 0n ? [{ ...money, code, nature: null }] : []
  })
  const sum = sumOf([fare, ...taxes, ...charges])
  const isPart = sum?.currency === total?.currency && sum && total && fixed(sum.amount) === fixed(total.amount)
  return isPart ? charges : []
}
