import type { Fixed } from '../../platform/money.ts'
import { UserError, type UserErrorCode } from '../../platform/user-error.ts'
import type { Transaction } from './codes.ts'

/** A document as an airline bills it. Amounts are those of the airline: below zero where it gives back. */
export type BillingLine = {
  /** The line on which the document begins in the file, from 1. */
  readonly line: number
  /** 3-digit airline code and 10 digits. */
  readonly number: string
  readonly code: string
  readonly transaction: Transaction
  /** It was voided: nothing is billed for it. */
  readonly void: boolean
  /** The IATA number of the office. */
  readonly agent: string | null
  readonly issuedOn: string
  /** The last day of the period that it is billed in. */
  readonly periodOn: string | null
  readonly currency: string
  readonly fare: Fixed | null
  readonly taxes: Fixed | null
  readonly total: Fixed
  /** The part of the total that was paid by exchanged documents. */
  readonly exchanged: Fixed
  /** The agency's commission; null if the file has none. */
  readonly commission: Fixed | null
  /** What the agency pays to the airline. */
  readonly remittance: Fixed | null
}

export type Billing = {
  readonly format: 'hot' | 'csv'
  readonly lines: readonly BillingLine[]
  /** A warning, although the file was read. */
  readonly warnings: readonly string[]
}

/** Documents that a file may have; a large agency has a tenth of that in a period. */
export const MOST_DOCUMENTS = 100_000

/** A refused file, with the reason and the `line`. */
export class BillingRefused extends UserError {
  constructor(reason: string, line: number | null = null, code: UserErrorCode = 'invalid_file') {
    super(code, line === null ? reason : `Line ${line}: ${reason}`)
  }
}

const MOST_WARNINGS = 20
/** The first of many warnings, and the number of the others. */
export const someOf = (warnings: readonly string[]): string[] =>
  warnings.length <= MOST_WARNINGS
    ? [...warnings]
    : [...warnings.slice(0, MOST_WARNINGS), `… and ${warnings.length - MOST_WARNINGS} more.`]

const SHOWN = 40
/** What a file holds, for a message. */
export const quotedValue = (text: string): string =>
  JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

/** The last digit of a document's number in print: the number modulo 7. */
export const checkDigitOf = (number: string): string => String(BigInt(number) % 7n)
