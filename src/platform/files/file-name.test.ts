import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/harness/any-text.ts'
import { cleanFileName, savedAs } from './file-name.ts'

describe('the name of a file', () => {
  it.each([
    ['voucher.pdf', 'voucher.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\ticket.pdf', 'ticket.pdf'],
    ['a\u0000b.pdf', 'ab.pdf'],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['line\r\nbreak.pdf', 'linebreak.pdf'],
    ['..', 'file'],
    ['', 'file'],
    ['folder/', 'file'],
    ['Fatura (İzmir) – ağustos.pdf', 'Fatura (İzmir) – ağustos.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [`x.${'y'.repeat(300)}`, `x.${'y'.repeat(253)}`],
  ])('%j is shown as %j', (given, shown) => {
    expect(cleanFileName(given)).toBe(shown)
  })
  it('has no path and nothing invisible, 1 to 255 characters, and stays as it is from then on', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 400 }), (given) => {
        const name = cleanFileName(given)
        expect(name).toMatch(/^[^/\\\p{Cc}\u202a-\u202e\u2066-\u2069]{1,255}$/u)
        expect(name.length).toBeLessThanOrEqual(255)
        expect(name.isWellFormed()).toBe(true)
        expect(cleanFileName(name)).toBe(name)
      }),
    )
  })
  it('is one header, in which it can be found again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (given) => {
        const name = cleanFileName(given)
        const [, ascii, whole = ''] =
          /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w%.!~-]+)$/.exec(savedAs(name)) ?? []
        expect(ascii).not.toMatch(/["\\]/)
        expect(decodeURIComponent(whole)).toBe(name)
      }),
    )
  })
})
