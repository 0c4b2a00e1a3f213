import { phoneDigits } from '../../records/search.ts'

/** A text as the functions of the search take it. */
export type Sought = {
  /** As typed, with single spaces. */
  readonly q: string
  /** What names, e-mails and phones are compared with; null if it is a whole ticket number. */
  readonly text: string | null
  /** Digits of a phone number; null if it is none. */
  readonly phone: string | null
  /** Digits of a ticket number, with or without its airline; null if it is none. */
  readonly ticket: string | null
}

/** Spaces, dashes and dots stand between the parts of printed ticket numbers. */
const TICKET_NUMBER = /^\d[\d .-]*$/
const LEAST_TICKET_DIGITS = 4
/** Airline and number: longer than the phone numbers that people have, but for those with the dialling prefix 00. */
const WHOLE_TICKET_DIGITS = 13
/** Airline, number and check digit. */
const MOST_TICKET_DIGITS = 14

export function soughtIn(given: string): Sought | null {
  const q = given.trim().replace(/\s+/g, ' ')
  if (q === '') return null
  const digits = TICKET_NUMBER.test(q) ? q.replace(/\D/g, '') : ''
  const isTicket = digits.length >= LEAST_TICKET_DIGITS && digits.length <= MOST_TICKET_DIGITS
  const isWhole = digits.length >= WHOLE_TICKET_DIGITS && isTicket && !q.startsWith('0')
  return { q, text: isWhole ? null : q, phone: (!isWhole && phoneDigits(q)) || null, ticket: isTicket ? digits : null }
}
