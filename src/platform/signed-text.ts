import { hash, timingSafeEqual } from 'node:crypto'

const VERSION = 1
const MAC_BYTES = 16
const MAXIMUM_LENGTH = 2000

/** Texts that only this cell can have written. `scope` is what a text is bound to, and not told by it. */
export type SignedText = {
  write(scope: string, parts: readonly string[]): string
  /** Null for what was not written with this scope. */
  read(scope: string, text: string): string[] | null
}

/** What only this cell can make of a text: the same each time, and nothing of the text can be told from it. */
export type Mac = (scope: string, text: string) => Buffer

export function macWith(secret: Buffer): Mac {
  // SHA-512/256 cannot be extended, so a secret prefix makes a MAC of it; a Hmac object for each page costs memory outside the heap.
  const prefix = `${secret.toString('hex')}\n${VERSION}\n`
  return (scope, text) => hash('sha512-256', `${prefix}${scope}\n${text}`, 'buffer').subarray(0, MAC_BYTES)
}

/** Signs with a secret; what is signed can be read by anybody, and is safe in an address. */
export function signedTextWith(secret: Buffer): SignedText {
  const mac = macWith(secret)
  return {
    write(scope, parts) {
      const text = JSON.stringify(parts)
      return Buffer.concat([mac(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, signed) {
      const bytes = signed.length <= MAXIMUM_LENGTH ? Buffer.from(signed, 'base64url') : Buffer.alloc(0)
      const text = bytes.toString('utf8', MAC_BYTES)
      const holds = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(scope, text))
      return holds ? JSON.parse(text) : null
    },
  }
}
