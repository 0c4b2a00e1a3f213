import type { FormOfPayment } from '../../ticket-file.ts'
import { maskedCode, printedAmount, withoutCards } from '../printed.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { payersIn, placesOf } from './places.ts'

const PAYMENT = {
  type: [3, 2],
  amount: [5, 12, 'amount'],
  isRefund: [17, 1],
  card: [18, 2],
  number: [20, 20],
  expires: [40, 4],
  approval: [44, 8],
} as const
const TAGS_AT = 52
const SHOWN_DIGITS = 4
/** The index of a passenger of another file. */
const NOBODY = -1
/** Each passenger of the largest party has one. */
const MOST_PAYMENTS = 99
const KINDS: Readonly<Record<string, FormOfPayment['kind']>> = { S: 'cash', CK: 'cash', CC: 'card', IN: 'invoice' }
const OLD_DOCUMENT = ['EX', 'X']

export type MirPayment = FormOfPayment & {
  /** In the currency of the sale, for all its passengers. */
  readonly amount: string | null
  readonly isRefund: boolean
  /** Paid with the exchanged document. */
  readonly isOldDocument: boolean
}
export type Payments = {
  /** The payments for the passenger with this index. */
  readonly of: (passenger: number) => readonly MirPayment[]
  /** Those that are for this passenger only. */
  readonly ofAlone: (passenger: number) => readonly MirPayment[]
}

/** The forms of payment of a file with this number of passengers. One that names no passenger is for all of them. */
export function paymentsOf(mir: Mir, passengers: number): Payments {
  const payments = mir
    .items('A11')
    .slice(0, MOST_PAYMENTS)
    .map(({ line }) => ({ ...paymentOf(line), names: payersIn(line) }))
  const placeOf = placesOf(mir, passengers, [])
  const payers = payments.map(({ names, ...payment }) => ({
    payment,
    indexes: new Set(names.map((name) => placeOf(name) ?? NOBODY)),
  }))
  const pays = (indexes: ReadonlySet<number>, passenger: number) => indexes.size === 0 || indexes.has(passenger)
  const isAlone = (indexes: ReadonlySet<number>) => passengers === 1 || indexes.size === 1
  return {
    of: (passenger) => payers.filter(({ indexes }) => pays(indexes, passenger)).map(({ payment }) => payment),
    ofAlone: (passenger) =>
      payers.filter(({ indexes }) => pays(indexes, passenger) && isAlone(indexes)).map(({ payment }) => payment),
  }
}

/** Null for a code of unknown kind. */
export const kindOfPayment = (type: string): FormOfPayment['kind'] => KINDS[type] ?? null

function paymentOf(line: string): MirPayment {
  const { type, amount, isRefund, card, number, expires, approval } = cutLine(line, PAYMENT)
  const [, freeText = ''] = /F:(.*)$/.exec(line.slice(TAGS_AT)) ?? []
  const remark = freeText.replace(/\sO:.*$/, '').trim()
  return {
    kind: kindOfPayment(type),
    text: [type, card, masked(number), expires, maskedCode(approval), withoutCards(remark)]
      .filter((part) => part !== '')
      .join(' '),
    amount: printedAmount(amount),
    isRefund: isRefund === 'Y',
    isOldDocument: OLD_DOCUMENT.includes(type),
  }
}

/** A card column contains nothing else, so all but the last four digits are masked, whatever the length. */
const masked = (number: string): string =>
  number.length > SHOWN_DIGITS ? 'X'.repeat(number.length - SHOWN_DIGITS) + number.slice(-SHOWN_DIGITS) : number
