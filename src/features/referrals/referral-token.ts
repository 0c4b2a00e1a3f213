import { randomInt } from 'node:crypto'

/** What nobody takes for something else, on paper or over the telephone. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10
const TOKEN = new RegExp(`^[${SIGNS}]{${LENGTH}}$`)

/** Where the pages of codes are. */
export const REFERRAL_PATH = '/r'

/** What names a code in its address: short enough to be told, long enough not to be guessed. */
export const makeReferralToken = (): string =>
  Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** The token as it is kept, however it was typed; null for what is none. */
export function readReferralToken(text: string): string | null {
  const token = text.trim().toLowerCase()
  return TOKEN.test(token) ? token : null
}
