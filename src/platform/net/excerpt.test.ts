import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const MAXIMUM = 16
const cut = (text: string) => excerptOf(Buffer.from(text), MAXIMUM)

describe('an excerpt', () => {
  it('is well-formed text without control characters, no longer than asked for, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4 * MAXIMUM }), (bytes) => {
        const text = excerptOf(bytes, MAXIMUM)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAXIMUM)
        expect(text.isWellFormed()).toBe(true)
        expect(text.replace(/[\t\n\r]/g, '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
  it('is the text itself where that is short, and whole characters of it where it is not', () => {
    expect(cut('{"ok":true}\r\n\t')).toBe('{"ok":true}\r\n\t')
    expect(cut('ğğğğğğğğğ')).toBe('ğğğğğğğğ')
    expect(cut('x😀😀😀😀')).toBe('x😀😀😀')
  })
  it('has neither NUL nor what moves a terminal’s cursor', () => expect(cut('a\0b\u001b[2Jc\u009bd')).toBe('ab[2Jcd'))
})
