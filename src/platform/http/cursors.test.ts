import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/harness/any-text.ts'
import { accountSecretsOf } from '../account-secrets.ts'
import { cursorsWith } from './cursors.ts'
import { ApiError } from './errors.ts'

const ACCOUNT = 20_000_001
const secrets = accountSecretsOf('a secret')
const cursors = cursorsWith(secrets)
const key = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 4 })
const scope = fc.string({ maxLength: 60 })
const refused = (read: () => unknown): boolean => {
  try {
    read()
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 'invalid_cursor',
      message: expect.stringContaining('Start again without a cursor'),
    })
    return true
  }
}

describe('a cursor', () => {
  it('reads as the key that was written, in its scope, and is safe in a URL', () => {
    fc.assert(
      fc.property(scope, key, (scope, key) => {
        const cursor = cursors.write(ACCOUNT, scope, key)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(cursors.read(ACCOUNT, scope, cursor, [])).toEqual(key)
      }),
    )
  })
  it('that an earlier version wrote is good still', () => {
    expect(cursors.read(ACCOUNT, 'a', '2kLPpMELQDCACHrannyxSlsia2V5Il0', [])).toEqual(['key'])
  })
  it('is refused in every other scope, for every other account and under every other secret', () => {
    fc.assert(
      fc.property(scope, scope, key, fc.string({ minLength: 32 }), (scope, other, key, secret) => {
        fc.pre(scope !== other)
        const cursor = cursors.write(ACCOUNT, scope, key)
        expect(refused(() => cursors.read(ACCOUNT, other, cursor, []))).toBe(true)
        expect(refused(() => cursors.read(ACCOUNT + 1, scope, cursor, []))).toBe(true)
        expect(refused(() => cursorsWith(accountSecretsOf(secret)).read(ACCOUNT, scope, cursor, []))).toBe(true)
      }),
    )
  })
  it('is good in the cell that its account went to, where the secret of then is kept', () => {
    const elsewhere = accountSecretsOf('another secret')
    const cursor = cursors.write(ACCOUNT, 'a', ['key'])
    const former = [elsewhere.seal('no secret of anybody'), elsewhere.seal(secrets.of(ACCOUNT))]
    expect(cursorsWith(elsewhere).read(ACCOUNT, 'a', cursor, former)).toEqual(['key'])
    expect(refused(() => cursorsWith(elsewhere).read(ACCOUNT + 1, 'a', cursor, former))).toBe(true)
  })
  it('is refused with any bit of it changed, and cut short or made longer by any byte', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.integer({ min: 0, max: 7 }), (key, place, bit) => {
        const bytes = Buffer.from(cursors.write(ACCOUNT, 'a', key), 'base64url')
        const changed = Buffer.from(bytes)
        const at = place % bytes.length
        changed.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
        for (const other of [changed, bytes.subarray(0, at), Buffer.concat([bytes, Buffer.of(bit)])])
          expect(refused(() => cursors.read(ACCOUNT, 'a', other.toString('base64url'), []))).toBe(true)
      }),
    )
  })
  it('is refused, and nothing else is thrown, whatever text a client sends for it', () => {
    const text = fc.oneof(anyText(), fc.base64String({ maxLength: 4000 }), fc.constant(''))
    fc.assert(
      fc.property(text, (cursor) => {
        expect(refused(() => cursors.read(ACCOUNT, 'a', cursor, []))).toBe(true)
      }),
    )
    expect(refused(() => cursors.read(ACCOUNT, 'a', 'A'.repeat(1_000_000), []))).toBe(true)
  })
})
