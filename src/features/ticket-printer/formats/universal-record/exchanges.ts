import type { Exchange, Tax } from '../../ticket-file.ts'
import { sumOf } from '../sums.ts'
import { unknownCollection } from '../warnings.ts'
import { descendants, elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import { isZeroAmount, prefixedMoney } from './amounts.ts'
import type { UniversalAnswer } from './listed.ts'

/** The exchange data besides the tickets (`AirExchangeInfo`), if there is only one, because it names no ticket. */
function exchangeInfo(message: TicketXmlElement): TicketXmlElement | undefined {
  const bundles = descendants(message, 'AirExchangeBundle').flatMap((bundle) => elements(bundle, 'AirExchangeInfo'))
  return bundles.length === 1 ? bundles[0] : undefined
}

/** The exchange of the tickets given in; null if there is none. Only the answer of an exchange has the amounts. */
export function exchangeInto(
  originals: readonly string[],
  { message, warn }: UniversalAnswer,
  number: string,
): Exchange | null {
  const info = exchangeInfo(message)
  if (originals.length === 0 && !info) return null
  const { AddCollection, ChangeFee, Refund } = info?.attributes ?? {}
  const added = prefixedMoney(AddCollection)
  const [residual, penalty] = [prefixedMoney(Refund), prefixedMoney(ChangeFee)]
  if (!added) {
    const { code, message: text } = unknownCollection(number)
    warn(code, text)
  }
  return {
    originals: originals.map((original) => ({ number: original, coupons: null })),
    // The change fee is collected in addition to the difference between the tickets.
    additionalCollection: added && penalty ? sumOf([added, penalty]) : added,
    fareDifference: null,
    residual: residual && !isZeroAmount(residual) ? residual : null,
    penalty: penalty && !isZeroAmount(penalty) ? penalty : null,
  }
}

/** Taxes paid with the ticket given in. */
export function paidTaxesOf(message: TicketXmlElement): readonly Tax[] {
  const info = exchangeInfo(message)
  return (info ? elements(info, 'PaidTax') : []).flatMap(({ attributes }): Tax[] => {
    const money = prefixedMoney(attributes.Amount)
    return money && attributes.Code ? [{ ...money, code: attributes.Code, nature: null }] : []
  })
}
