import { describe, expect, it } from 'vitest'
import { chance, pick } from '../harness/chance.ts'
import { readers } from './readers.ts'
import { settings } from './settings.ts'
import { signatureReaders } from './signed.ts'
import { spoiled } from './spoil.ts'

const { cases, seed } = settings
const TIMEOUT_MS = 30_000 + 50 * cases
const [SHORT, LONG] = [1_500, 12_000]
/** For input eight times as long, linear readers take eight times as long, quadratic ones 64 times. */
const MOST_GROWTH = 24
const NEGLIGIBLE_MS = 40
const TRIES = 3

/** The processor time of a reader; the least of several tries, unless the first is short. */
async function cost(read: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let left = TRIES; left > 0 && least > NEGLIGIBLE_MS; left -= 1) {
    const before = process.cpuUsage()
    await read(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Long texts that begin, continue or end like a valid one. */
const longOnes = (text: string, length: number): string[] =>
  [text, text.slice(0, 3), text.slice(-3), ' ', '"', '<', '1', 'a@', '\n'].flatMap((part) => {
    const long = part.repeat(length / part.length)
    return [long, text + long, `${long}!`]
  })

describe.each(readers.map((reader) => [reader.name, reader] as const))('%s', (_, { good, read, holds }) => {
  it('are read where they are good', async () => {
    for (const text of good) expect([text.slice(0, 80), await read(text)]).not.toEqual([text.slice(0, 80), null])
  })
  it(`are read or refused if spoiled, and read back what was written (seed ${seed})`, {
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
  it('are read or refused in steps that grow as their length does', { timeout: TIMEOUT_MS }, async () => {
    for (const text of good) {
      const shorter = longOnes(text, SHORT)
      for (const [nth, longer] of longOnes(text, LONG).entries()) {
        const took = await cost(read, longer)
        if (took <= NEGLIGIBLE_MS) continue
        const growth = took / (await cost(read, shorter[nth] ?? ''))
        expect([nth, growth < MOST_GROWTH, growth]).toEqual([nth, true, growth])
      }
    }
  })
})

describe.each(signatureReaders.map((reader) => [reader.name, reader] as const))('%s', (_, reader) => {
  const { written, accepts, same = (text: string) => written.includes(text) } = reader
  it(`are taken as they were written, and no other text is (seed ${seed})`, { timeout: TIMEOUT_MS }, async () => {
    for (const text of written) expect([text, await accepts(text)]).toEqual([text, true])
    const any = chance(seed)
    const from = written.length > 0 ? written : ['x', 'Ayşe']
    for (let nth = 0; nth < 5 * cases; nth += 1) {
      const text = spoiled(any, pick(any, from), pick(any, from))
      if (await accepts(text)) expect([nth, text, same(text)]).toEqual([nth, text, true])
    }
    expect(await accepts('A'.repeat(1_000_000))).toBe(false)
  })
})
