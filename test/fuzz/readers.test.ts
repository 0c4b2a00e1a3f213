import { describe, expect, it } from 'vitest'
import { chance, pick } from '../harness/chance.ts'
import { readers } from './readers.ts'
import { settings } from './settings.ts'
import { signatureReaders } from './signed.ts'
import { spoiled } from './spoil.ts'

const { cases, seed, long } = settings
const TIMEOUT_MS = 30_000 + 50 * cases
/** Of a text so long, whatever takes its square in steps would not come to an end. */
const LONG = long ? 1_000_000 : 200_000

describe.each(readers.map((reader) => [reader.name, reader] as const))('%s', (_, { good, read, holds }) => {
  it('are read where they are good', async () => {
    for (const text of good) expect([text.slice(0, 80), await read(text)]).not.toEqual([text.slice(0, 80), null])
  })
  it(`are read or refused where they are spoiled, and are what was written (seed ${seed})`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const any = chance(seed)
    for (let nth = 0; nth < cases; nth += 1) {
      const text = spoiled(any, pick(any, good), pick(any, good))
      const found = await read(text)
      expect([nth, text.slice(0, 300), found === null || (holds?.(found as never, text) ?? true)]).toEqual([
        nth,
        text.slice(0, 300),
        true,
      ])
    }
  })
  it('are read or refused in steps that grow with their length alone', { timeout: TIMEOUT_MS }, async () => {
    for (const text of good)
      for (const part of [text, text.slice(0, 3), text.slice(-3), ' ', '"', '<', '1', 'a@', '\n', 'x'])
        for (const long of [
          part.repeat(LONG / part.length),
          text + part.repeat(LONG / part.length),
          `${part.repeat(LONG / part.length)}!`,
        ])
          await read(long)
  })
})

describe.each(signatureReaders.map((reader) => [reader.name, reader] as const))(
  '%s',
  (_, { written, accepts, same }) => {
    it(`are taken as they were written, and no other text is (seed ${seed})`, { timeout: TIMEOUT_MS }, async () => {
      for (const text of written) expect([text, await accepts(text)]).toEqual([text, true])
      const any = chance(seed)
      const from = written.length > 0 ? written : ['x', 'Ayşe']
      for (let nth = 0; nth < 5 * cases; nth += 1) {
        const text = spoiled(any, pick(any, from), pick(any, from))
        if (await accepts(text))
          expect([nth, text]).toEqual([
            nth,
            same?.(text) ? text : pick(any, written.filter((one) => one === text).concat('nothing that was written')),
          ])
      }
      expect(await accepts('A'.repeat(LONG))).toBe(false)
    })
  },
)
