import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/harness/any-text.ts'
import { cursorsWith } from './cursors.ts'
import { ApiError } from './errors.ts'

const cursors = cursorsWith(Buffer.alloc(32, 1))
const key = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 4 })
const scope = fc.string({ maxLength: 60 })
const refused = (read: () => unknown): boolean => {
  try {
    read()
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).code).toBe('invalid_cursor')
    return true
  }
}

describe('a cursor', () => {
  it('reads as the key that was written, in its scope, and is safe in a URL', () => {
    fc.assert(
      fc.property(scope, key, (scope, key) => {
        const cursor = cursors.write(scope, key)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(cursors.read(scope, cursor)).toEqual(key)
      }),
    )
  })
  it('is refused in every other scope and under every other secret', () => {
    fc.assert(
      fc.property(scope, scope, key, fc.uint8Array({ minLength: 32, maxLength: 32 }), (scope, other, key, secret) => {
        fc.pre(scope !== other && secret.some((byte) => byte !== 1))
        const cursor = cursors.write(scope, key)
        expect(refused(() => cursors.read(other, cursor))).toBe(true)
        expect(refused(() => cursorsWith(Buffer.from(secret)).read(scope, cursor))).toBe(true)
      }),
    )
  })
  it('is refused with any bit of it changed, and cut short or made longer by any byte', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.integer({ min: 0, max: 7 }), (key, place, bit) => {
        const bytes = Buffer.from(cursors.write('a', key), 'base64url')
        const changed = Buffer.from(bytes)
        const at = place % bytes.length
        changed.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
        for (const other of [changed, bytes.subarray(0, at), Buffer.concat([bytes, Buffer.of(bit)])])
          expect(refused(() => cursors.read('a', other.toString('base64url')))).toBe(true)
      }),
    )
  })
  it('is refused, and nothing else is thrown, whatever text a client sends for it', () => {
    const text = fc.oneof(anyText(), fc.base64String({ maxLength: 4000 }), fc.constant(''))
    fc.assert(
      fc.property(text, (cursor) => {
        expect(refused(() => cursors.read('a', cursor))).toBe(true)
      }),
    )
    expect(refused(() => cursors.read('a', 'A'.repeat(1_000_000)))).toBe(true)
  })
})
