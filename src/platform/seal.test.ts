import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveKey, sealWith } from './seal.ts'

const seal = sealWith(deriveKey('a secret', 'one use'))

describe('a sealed value', () => {
  it('is opened unchanged, text or bytes, and differs each time it is sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 100 }), (text, bytes) => {
        expect(seal.open(seal.seal(text))).toBe(text)
        expect(seal.openBytes(seal.seal(bytes))).toEqual(Buffer.from(bytes))
        expect(seal.seal(text).equals(seal.seal(text))).toBe(false)
      }),
    )
  })
  it('is opened by no other secret and for no other use, and not with a bit changed or a byte cut off', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: 0, max: 7 }), (text, place, bit) => {
        const sealed = seal.seal(text)
        const changed = Buffer.from(sealed)
        const at = place % sealed.length
        changed.writeUInt8(sealed.readUInt8(at) ^ (1 << bit), at)
        for (const other of [changed, sealed.subarray(0, at)]) expect(() => seal.open(other)).toThrow()
        for (const key of [deriveKey('a secret', 'another use'), deriveKey('another', 'one use')])
          expect(() => sealWith(key).open(sealed)).toThrow()
      }),
    )
  })
  it('long ago is opened still', () => {
    expect(deriveKey('a secret', 'one use').toString('hex')).toBe(
      '695599613f6b86b3b68946a1e3939e5207a34093b62afb0ae1cb2d689042fce5',
    )
  })
})
