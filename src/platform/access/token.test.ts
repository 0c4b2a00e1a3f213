import { describe, expect, it } from 'vitest'
import { hashToken, isWellFormed, makeToken, tokenEnds } from './token.ts'

const tokens = Array.from({ length: 500 }, makeToken)

describe('a token', () => {
  it('is sek_ and 49 base62 digits, and never the same twice', () => {
    for (const token of tokens) expect(token).toMatch(/^sek_[0-9A-Za-z]{49}$/)
    expect(new Set(tokens).size).toBe(tokens.length)
  })
  it('holds by itself, and not with any one digit changed, added or left out', () => {
    for (const token of tokens.slice(0, 50)) {
      expect(isWellFormed(token)).toBe(true)
      for (let at = 4; at < token.length; at++) {
        const other = token[at] === 'a' ? 'b' : 'a'
        expect(isWellFormed(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
        expect(isWellFormed(token.slice(0, at) + token.slice(at + 1))).toBe(false)
      }
      expect(isWellFormed(`${token}a`)).toBe(false)
    }
  })
  it('is told by its ends, and kept as a hash that shows nothing of it', () => {
    const [token = ''] = tokens
    expect(tokenEnds(token)).toEqual({ start: token.slice(4, 8), end: token.slice(-4) })
    expect(hashToken(token)).toHaveLength(32)
  })
})
