import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEPT, PNG, REFUSED } from '../../../test/harness/sample-files.ts'
import { sniffType } from './sniff-type.ts'

describe('the type of a file', () => {
  it.each(KEPT)('%s is what its bytes show', async (name, bytes, type) => {
    expect(await sniffType(bytes, name)).toBe(type)
  })
  it.each(REFUSED)('%s is a script, a program or a web page', async (name, bytes) => {
    expect(await sniffType(Buffer.from(bytes), name)).toBeNull()
  })
  it('is detected for any bytes, including truncated files', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KEPT),
        fc.nat(),
        fc.uint8Array({ maxLength: 50 }),
        async (known, cut, rest) => {
          const bytes = Buffer.concat([known[1].subarray(0, cut % (known[1].length + 1)), rest])
          expect(typeof (await sniffType(bytes, 'file'))).toMatch(/string|object/)
        },
      ),
    )
  })
  it('is detected quickly for ten megabytes with an unclosed comment', async () => {
    const MEGABYTES = 10 * 1024 * 1024
    for (const piece of ['<?xml ?><!--', '<?xml ?><!doctype [', '<?xml ?> ', '<?xml ?><!doctype []  ']) {
      const started = performance.now()
      await sniffType(Buffer.from(piece.repeat(MEGABYTES / piece.length)), 'file')
      expect(performance.now() - started).toBeLessThan(2_000)
    }
    expect(await sniffType(Buffer.concat([PNG, Buffer.alloc(MEGABYTES)]), 'x.png')).toBe('image/png')
  })
})
