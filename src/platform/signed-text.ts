import { hash, timingSafeEqual } from 'node:crypto'
import type { AccountSecrets } from './account-secrets.ts'

const VERSION = 2
/** Signs values from before accounts had secrets of their own, and values without an account. */
const FIRST_VERSION = 1
const MAC_BYTES = 16
const MAXIMUM_LENGTH = 2000

/**
 * Texts that only the account's cell can have written. `scope` is what a text is bound to; the text does not contain
 * it.
 */
export type SignedText = {
  write(account: number, scope: string, parts: readonly string[]): string
  /** Null if the text was not written for this account and scope; `former` are its secrets of other cells. */
  read(account: number, scope: string, text: string, former?: readonly Buffer[]): string[] | null
}

/** A keyed hash of a text: always the same, and it reveals nothing of the text. */
export type Mac = (scope: string, text: string) => Buffer

export function macWith(secret: Buffer): Mac {
  const prefix = `${secret.toString('hex')}\n${FIRST_VERSION}\n`
  return (scope, text) => hash('sha512-256', `${prefix}${scope}\n${text}`, 'buffer').subarray(0, MAC_BYTES)
}

type Accepts = {
  /** Texts that keys signed which were replaced because they may be known to others. */
  readonly retired?: boolean
}
/** Signs for one purpose with the secrets of accounts; the signed text is readable by anyone, and safe in a URL. */
export function signedTextWith(
  secrets: AccountSecrets,
  use: string,
  { retired: acceptsRetired = false }: Accepts = {},
): SignedText {
  // SHA-512/256 cannot be extended, so a secret prefix makes a MAC of it; a Hmac object for each page costs memory outside the heap.
  const mac = (secret: string, account: number, scope: string, text: string) =>
    hash('sha512-256', `${secret}\n${use}\n${VERSION}\n${account}\n${scope}\n${text}`, 'buffer').subarray(0, MAC_BYTES)
  const ofCell = macWith(secrets.ofCell(use)) // mails with addresses of then are still out there
  return {
    write(account, scope, parts) {
      const text = JSON.stringify(parts)
      return Buffer.concat([mac(secrets.of(account), account, scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(account, scope, signed, former = []) {
      const bytes = bytesOf(signed)
      if (bytes.length <= MAC_BYTES) return null
      const text = bytes.toString('utf8', MAC_BYTES)
      const is = (expected: Buffer) => timingSafeEqual(bytes.subarray(0, MAC_BYTES), expected)
      const holds = (secret: string | null) => secret !== null && is(mac(secret, account, scope, text))
      const acceptsFirst = acceptsRetired || secrets.acceptsFirstVersion(account)
      const isOurs =
        holds(secrets.of(account)) ||
        (acceptsRetired && secrets.retired(account).some(holds)) ||
        (acceptsFirst && (holds(secrets.ofFirstVersion(account)) || is(ofCell(scope, text)))) ||
        former.some((sealed) => holds(secrets.open(sealed)))
      return isOurs ? JSON.parse(text) : null
    },
  }
}

/** Returns the stored former secrets of an account. */
export type FormerSecretsOf = (account: number) => Promise<readonly Buffer[]>

/** Reads a text whose first part is the account number, which is known from nowhere else. */
export async function readNamingAccount(
  signed: SignedText,
  scope: string,
  text: string,
  formerOf: FormerSecretsOf,
): Promise<string[] | null> {
  const account = accountIn(text)
  if (account === null) return null
  const former = await formerOf(account) // which also loads the account's keys
  return signed.read(account, scope, text, former)
}

/** Nothing if the encoding is not canonical: base64 parsers are lenient, and a token would have many forms. */
function bytesOf(signed: string): Buffer {
  const bytes = signed.length <= MAXIMUM_LENGTH ? Buffer.from(signed, 'base64url') : Buffer.alloc(0)
  return bytes.toString('base64url') === signed ? bytes : Buffer.alloc(0)
}

/** The account number that a text claims; the signature proves it. */
function accountIn(text: string): number | null {
  const number = /^\["([123]\d{7})"/.exec(bytesOf(text).toString('utf8', MAC_BYTES))?.[1]
  return number === undefined ? null : Number(number)
}
