import type { Policies } from '../platform/access/policies.ts'
import * as pg from '../platform/db/pg-types.ts'

/** SQL over a record `t` that can be searched: whether it holds the text `q`, whatever its case and accents. */
export const SEARCHED = `t.search like '%' || like_text(fold($q)) || '%'`

/**
 * The conditions of a search in a list of people; `restricted` is SQL of whether a person is hidden from some roles.
 */
export const personConditions = (restricted: string) => ({
  text: SEARCHED,
  /** Numbers are stored from the country code on, without blanks. */
  number: `(${SEARCHED} or t.search like '%' || $number::text || '%')`,
  /** Customers hidden by a tag are not found by their identity. */
  known: `not (${restricted})`,
})
/** What these name. */
export const PERSON_PARAMETERS = { q: pg.text, number: pg.text }
export type SearchConditions = {
  readonly text?: boolean
  readonly number?: string | undefined
  readonly known?: boolean
}

/** The conditions of a search for `q`; null, so that nothing is found, for a role that sees no personal data. */
export function searchConditions(q: string | undefined, policies: Policies): SearchConditions | null {
  if (q === undefined) return {}
  if (!policies.has('view_personal_data')) return null
  const number = phoneDigits(q)
  return { text: number === undefined, number, known: !policies.has('view_restricted_customers') }
}

const NUMBER = /^[\d\s+()./-]+$/
const DIGITS = 4
/** A leading zero is a dialling prefix and not part of the number; shorter texts would match any number. */
const REMAINING_DIGITS = 3

/** The digits of a phone number, without leading zeros; undefined for any other text. */
export function phoneDigits(q: string): string | undefined {
  const digits = NUMBER.test(q) ? q.replace(/\D/g, '') : ''
  const remaining = digits.replace(/^0+/, '')
  return digits.length >= DIGITS && remaining.length >= REMAINING_DIGITS ? remaining : undefined
}
