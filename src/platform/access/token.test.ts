import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/harness/any-text.ts'
import { hashToken, isWellFormed, makeToken, tokenEnds } from './token.ts'

const tokens = Array.from({ length: 50 }, makeToken)

describe('a token', () => {
  it('is sek_ and 49 base62 digits, and never the same twice', () => {
    const made = Array.from({ length: 500 }, makeToken)
    for (const token of made) expect(token).toMatch(/^sek_[0-9A-Za-z]{49}$/)
    expect(new Set(made).size).toBe(made.length)
  })
  it('holds by itself, and not with any one digit changed, added or left out', () => {
    for (const token of tokens) {
      expect(isWellFormed(token)).toBe(true)
      for (let at = 4; at < token.length; at++) {
        const other = token[at] === 'a' ? 'b' : 'a'
        expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
        expect(isWellFormed(token.slice(0, at) + token.slice(at + 1))).toBe(false)
      }
      expect(isWellFormed(`${token}a`)).toBe(false)
    }
  })
  it('is shown by its ends, and stored as a hash', () => {
    const [token = ''] = tokens
    expect(tokenEnds(token)).toEqual({ start: token.slice(4, 8), end: token.slice(-4) })
    expect(hashToken(token)).toEqual(createHash('sha256').update(token).digest())
  })
})

describe('the checksum of a token', () => {
  const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  /** An independent oracle: CRC-32 of ISO 3309, bit by bit, as six base62 digits. */
  const checksum = (text: string): string => {
    let crc = 0xffff_ffff
    for (const byte of Buffer.from(text)) {
      crc ^= byte
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
    }
    let rest = (crc ^ 0xffff_ffff) >>> 0
    let digits = ''
    for (let at = 0; at < 6; at++) {
      digits = BASE62.charAt(rest % 62) + digits
      rest = Math.floor(rest / 62)
    }
    return digits
  }
  it('is the CRC-32 that scanners of secrets compute', () => {
    for (const token of tokens) expect(token.slice(-6)).toBe(checksum(token.slice(0, -6)))
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Za-z]{43}$/), (body) => {
        expect(isWellFormed(`sek_${body}${checksum(`sek_${body}`)}`)).toBe(true)
      }),
    )
  })
  it('makes no token of other digits, of another beginning or of another length', () => {
    for (const body of [
      `sek_${'!'.repeat(43)}`,
      `sek-${'a'.repeat(43)}`,
      `sek_${'a'.repeat(42)}`,
      `xsek_${'a'.repeat(42)}`,
    ])
      expect(isWellFormed(body + checksum(body))).toBe(false)
  })
  it('detects swapped neighbouring digits and invalid text, without throwing', () => {
    for (const token of tokens)
      for (let at = 4; at < token.length - 1; at++) {
        const swapped = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)
        expect(isWellFormed(swapped)).toBe(swapped === token)
      }
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.stringMatching(/^sek_[0-9A-Za-z]{0,60}$/)), (text) => {
        expect(isWellFormed(text)).toBe(/^sek_\w{49}$/.test(text) && text.slice(-6) === checksum(text.slice(0, -6)))
      }),
    )
    const [token = ''] = tokens
    for (const text of [
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      `SEK_${token.slice(4)}`,
      `sk_${token.slice(4)}`,
    ])
      expect(isWellFormed(text)).toBe(false)
  })
})
