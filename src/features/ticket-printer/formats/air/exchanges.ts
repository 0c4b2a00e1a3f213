import type { Exchange, Fare } from '../../ticket-file.ts'
import { checkDigitHolds } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { moneyInText } from './amounts.ts'
import { field, type Line } from './lines.ts'
import { conjunctionsOf } from './numbers.ts'
import { paysWithOld, withoutOrigin } from './payment.ts'

/** Fields of ATC-, the calculation of an exchange. */
const FARE_BALANCE = 2
const PENALTY = 8
const COLLECTED = 9
const RESIDUAL = 10
/** The first issue: its number, followed by city, day and office. */
const FIRST_ISSUE = /^(\d{3})-?(\d{10})(?!\d)/
/**
 * A document given in: its number and check digit, the last digits of its last booklet with that one's check digit, and
 * the coupons. `229-30499405913E2`, `057-34077770001-012`.
 */
const GIVEN_IN = /(\d{3})-?(\d{10})(\d)?(?:-(\d{2})\d?)?(?:[EC](\d{1,4}))?/g

type Parts = {
  /** FO and, for an EMD, MFO; FH if there is neither. */
  readonly issues: readonly Line[]
  readonly hand: readonly Line[]
  readonly payments: readonly Line[]
  readonly arithmetic: Line | undefined
  readonly fare: Fare
  readonly isReissue: boolean
}

/** The exchange of a document; null for a first issue. */
export function readExchange(parts: Parts, warn: Warn): Exchange | null {
  const { issues, payments, arithmetic, isReissue } = parts
  const isExchange =
    issues.length > 0 || isReissue || arithmetic || payments.some((line) => paysWithOld(field(line, 0)))
  if (!isExchange) return null
  return {
    originals: (issues.length > 0 ? issues : parts.hand).flatMap((line) => originalsIn(field(line, 0), warn)),
    additionalCollection: collectedOf(parts, warn),
    fareDifference: moneyInText(field(arithmetic, FARE_BALANCE), 'balance of the fares', warn),
    residual: moneyInText(field(arithmetic, RESIDUAL), 'residual value', warn),
    penalty: moneyInText(field(arithmetic, PENALTY), 'penalty', warn),
  }
}

/**
 * From the calculation, if there is one. Otherwise the total was collected if taxes are marked as paid or if it is
 * zero; without such a mark it may be the whole value of the new document.
 */
function collectedOf({ arithmetic, fare }: Parts, warn: Warn): Exchange['additionalCollection'] {
  if (arithmetic) return moneyInText(field(arithmetic, COLLECTED), 'additional collection', warn)
  return fare.paidTaxes.length > 0 || Number(fare.total?.amount) === 0 ? fare.total : null
}

/** `229-3049940591KWI12JUN24/42212122/229-30499405913E2*B…`: first issue, office, and documents given in. */
function originalsIn(printed: string, warn: Warn): Exchange['originals'] {
  const [first = '', , ...given] = withoutOrigin(printed).replace(/\*.*$/s, '').split('/', 40)
  const documents = [...given.join('/').matchAll(GIVEN_IN)].flatMap((match) => givenIn(match, warn))
  if (documents.length > 0) return documents
  const [, airline, serial] = FIRST_ISSUE.exec(first.trim()) ?? []
  return airline && serial ? [{ number: airline + serial, coupons: null }] : []
}

function givenIn(match: RegExpMatchArray, warn: Warn): Exchange['originals'] {
  const [, airline = '', serial = '', digit, last, coupons = null] = match
  const number = airline + serial
  const more = conjunctionsOf(number, last, warn)
  checkNumber(number, digit, coupons, warn)
  return [{ number, coupons }, ...more.map((each) => ({ number: each, coupons: null }))]
}

/** The number of the first coupon is part of the number that is divided by seven. */
function checkNumber(number: string, digit: string | undefined, coupons: string | null, warn: Warn): void {
  if (digit === undefined || checkDigitHolds((coupons?.[0] ?? '') + number, digit)) return
  warn('check_digit', `The check digit of the exchanged document ${number} is not ${digit}. Check the number.`)
}
