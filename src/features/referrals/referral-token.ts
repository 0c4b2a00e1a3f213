import { randomInt } from 'node:crypto'

/** Characters that cannot be confused on paper or on the telephone. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10
const TOKEN = new RegExp(`^[${SIGNS}]{${LENGTH}}$`)

/** Where the pages of codes are. */
export const REFERRAL_PATH = '/r'

/** The code in its address: short enough to dictate, long enough not to be guessed. */
export const makeReferralToken = (): string =>
  Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** The token as stored, from any notation; null if it is invalid. */
export function readReferralToken(text: string): string | null {
  const token = text.trim().toLowerCase()
  return TOKEN.test(token) ? token : null
}
