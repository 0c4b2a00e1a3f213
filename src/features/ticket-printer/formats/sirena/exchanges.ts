import type { Exchange, Fare } from '../../ticket-file.ts'
import { more, sumOf } from '../sums.ts'

/** A ticket that was given in for another. */
export type GivenIn = { readonly number: string; readonly fare: Fare; readonly spoilt: boolean }

/**
 * The cost of the exchange. If the new ticket is printed with its full value, it is the difference to the tickets given
 * in.
 */
export function exchangeOf(originals: readonly string[], fare: Fare, given: readonly GivenIn[]): Exchange {
  const theirs = originals.map((number) => given.find((each) => each.number === number && !each.spoilt))
  const value = sumOf(theirs.map((each) => each?.fare.total ?? null))
  const isKnown = value !== null && value.currency === fare.total?.currency && isFullValue(fare)
  const collected = isKnown && fare.total ? more(fare.total, value) : null
  const residual = isKnown && fare.total ? more(value, fare.total) : null
  return {
    originals: originals.map((number) => ({ number, coupons: null })),
    additionalCollection: isKnown ? (collected ?? { currency: value.currency, amount: '0' }) : null,
    fareDifference: null,
    residual,
    penalty: null,
  }
}

const isFullValue = ({ base, equivalent, taxes, total }: Fare): boolean => {
  const value = sumOf([equivalent ?? base, ...taxes])
  return value !== null && total !== null && more(value, total) === null && more(total, value) === null
}
