import {
  type Commission,
  type Fare,
  NO_FARE,
  type PrintedMoney,
  type Tax,
  type TicketDocument,
} from '../../ticket-file.ts'
import { printedAmount } from '../printed.ts'
import { checkTotal } from '../totals.ts'
import { unreadableAmount, type Warn } from '../warnings.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { isZeroAmount, prefixedMoney, taxesBehind } from './amounts.ts'

/** The code of a tax printed without one. */
const UNCODED = 'XX'
const XT = 'XT'

/** The price of a document, from itself or from the pricing of the reservation. */
export type DocumentPrice = {
  readonly fare: Fare
  readonly fareCalculation: string | null
  readonly fareMark: TicketDocument['fareMark']
}

/**
 * The fare of an electronic ticket record (ETR), of its pricing, or of a pricing alone. `paid` is the payment for this
 * document only.
 */
export function universalPrice(
  number: string,
  {
    record,
    pricing,
    paid,
  }: { record?: TicketXmlElement; pricing: TicketXmlElement | undefined; paid: PrintedMoney | null },
  warn: Warn,
): DocumentPrice {
  const attribute = (name: string) => record?.attributes[name] ?? pricing?.attributes[name]
  const money = (name: string): PrintedMoney | null => {
    const printed = attribute(name)
    const read = prefixedMoney(printed)
    if (printed && !read) warn('amount_unreadable', unreadableAmount(number).message)
    return read
  }
  const calculation = textAt(record, 'FareCalc') ?? textAt(pricing, 'FareCalc')
  const fareMark = attribute('BulkTicket') === 'true' ? 'bulk' : markIn(calculation)
  const printedBase = money('BasePrice')
  const base = fareMark !== null && printedBase && isZeroAmount(printedBase) ? null : printedBase
  const equivalent = money('EquivalentBasePrice')
  const fare: Fare = {
    ...NO_FARE,
    base: base ?? equivalent,
    equivalent: base && equivalent && equivalent.currency !== base.currency ? equivalent : null,
    taxes: taxesOf(pricing, money('Taxes'), calculation),
    total: money('TotalPrice') ?? (paid && isZeroAmount(paid) ? null : paid),
  }
  checkTotal({ number, fare, fareMark }, warn)
  return { fare, fareCalculation: calculation, fareMark }
}

/** A ticket prints `M/BT` or `M/IT` in its fare calculation if it prints no fare. */
function markIn(calculation: string | null): TicketDocument['fareMark'] {
  const [, mark] = /\bM\/(BT|IT)\b/.exec(calculation ?? '') ?? []
  return mark === undefined ? null : mark === 'BT' ? 'bulk' : 'inclusive_tour'
}

function taxesOf(
  pricing: TicketXmlElement | undefined,
  sum: PrintedMoney | null,
  calculation: string | null,
): readonly Tax[] {
  const listed = (pricing ? elements(pricing, 'TaxInfo') : []).flatMap(({ attributes }): Tax[] => {
    const money = prefixedMoney(attributes.Amount)
    return money ? [{ ...money, code: attributes.Category ?? UNCODED, nature: null }] : []
  })
  if (listed.length === 0) return sum && !isZeroAmount(sum) ? [{ ...sum, code: UNCODED, nature: null }] : []
  return listed.flatMap((tax) => (tax.code === XT ? (taxesBehind(tax, calculation) ?? [tax]) : [tax]))
}

/** A commission as a percentage of the fare, or as an amount in the currency of the sale. */
export function printedCommission(
  printed: TicketXmlElement | undefined,
  currency: string | undefined,
): Commission | null {
  if (!printed) return null
  const { Percentage, Amount } = printed.attributes
  const rate = printedAmount(Percentage)
  const money = prefixedMoney(Amount)
  const amount = money && (currency === undefined || money.currency === currency) ? money.amount : null
  return rate === null && amount === null ? null : { rate, amount }
}
