import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const PREFIX = 'sek_'
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS = new RegExp(`^[0-9A-Za-z]{${RANDOM_DIGITS + CHECK_DIGITS}}$`)

/**
 * A prefix such as `sek_`, 256 random bits as 43 base62 digits, and 6 digits of CRC-32, which detect typing errors and
 * let scanners recognise tokens.
 */
export function makeToken(prefix = PREFIX): string {
  const body = prefix + randomDigits()
  return body + checksum(body)
}

/** 256 random bits as 43 base62 digits. */
export const randomDigits = (): string => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_DIGITS)

/** Whether a token can be one at all; nonsense is refused before any look-up. */
export function isWellFormed(token: string, prefix = PREFIX): boolean {
  const end = prefix.length + RANDOM_DIGITS
  return (
    token.startsWith(prefix) &&
    DIGITS.test(token.slice(prefix.length)) &&
    checksum(token.slice(0, end)) === token.slice(end)
  )
}

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
/** What may be shown of a token, to recognise it by. */
export const tokenEnds = (token: string) => ({
  start: token.slice(PREFIX.length, PREFIX.length + 4),
  end: token.slice(-4),
})

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECK_DIGITS)

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = BASE62[Number(rest % 62n)] + digits
  return digits
}
