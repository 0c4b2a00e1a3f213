import { hash, timingSafeEqual } from 'node:crypto'
import { ApiError } from './errors.ts'

const VERSION = 1
const MAC_BYTES = 16
const MAXIMUM_LENGTH = 2000

/** Writes and reads the cursors of lists. `scope` is what a cursor is bound to: account, route and filters. */
export type Cursors = {
  write(scope: string, key: readonly string[]): string
  read(scope: string, cursor: string): string[]
}

/** Signed cursors that hold the sort key as PostgreSQL printed it. */
export function cursorsWith(secret: Buffer): Cursors {
  // SHA-512/256 cannot be extended, so a secret prefix makes a MAC of it; a Hmac object for each page costs memory outside the heap.
  const prefix = `${secret.toString('hex')}\n${VERSION}\n`
  const mac = (scope: string, key: string) =>
    hash('sha512-256', `${prefix}${scope}\n${key}`, 'buffer').subarray(0, MAC_BYTES)
  return {
    write(scope, key) {
      const text = JSON.stringify(key)
      return Buffer.concat([mac(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = cursor.length <= MAXIMUM_LENGTH ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0)
      const text = bytes.toString('utf8', MAC_BYTES)
      if (bytes.length <= MAC_BYTES || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(scope, text))) {
        throw new ApiError(
          'invalid_cursor',
          'This cursor does not belong to this list. Start again without it, or keep the filters it was made with.',
        )
      }
      return JSON.parse(text)
    },
  }
}
