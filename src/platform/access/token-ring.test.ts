import { describe, expect, it } from 'vitest'
import type { Key } from './principal.ts'
import { isWellFormed, makeToken } from './token.ts'
import { type TokenUse, tokenRing } from './token-ring.ts'

const KEPT_MS = 900
const keyOf = (id: string) => ({ id, actor: { account: 7 } }) as Key

/** A ring on a clock that the test sets, over keys that are found by their tokens. */
function ring(keys: Readonly<Record<string, Key>> = {}) {
  const clock = { now: 1_000_000 }
  const store = { asked: [] as string[], uses: [] as TokenUse[][], broken: false }
  const { resolve, used, flush } = tokenRing<Key>(
    {
      isWellFormed,
      async find(token) {
        store.asked.push(token)
        if (store.broken) throw new Error('away')
        return keys[token] ?? null
      },
      async noteUses(uses) {
        if (store.broken) throw new Error('away')
        store.uses.push([...uses])
      },
    },
    () => clock.now,
  )
  return { clock, store, resolve, used, flush }
}

describe('a key', () => {
  const [token, other] = [makeToken(), makeToken()]
  const keys = { [token]: keyOf('a'), [other]: keyOf('b') }

  it('is looked up once, is at hand from then on, and is asked for again after less than a second', async () => {
    const { clock, store, resolve } = ring(keys)
    expect(await resolve(token)).toBe(keys[token])
    expect(resolve(token)).toBe(keys[token])
    clock.now += KEPT_MS - 1
    expect(resolve(token)).toBe(keys[token])
    expect(store.asked).toEqual([token])
    clock.now += 1
    expect(await resolve(token)).toBe(keys[token])
    expect(store.asked).toEqual([token, token])
  })
  it('is asked for again when the clock was put back, which makes nothing younger', async () => {
    const { clock, store, resolve } = ring(keys)
    await resolve(token)
    clock.now -= 1
    await resolve(token)
    expect(store.asked.length).toBe(2)
  })
  it('is looked up once for all that ask at the same time, each token for itself', async () => {
    const { store, resolve } = ring(keys)
    const found = await Promise.all([resolve(token), resolve(other), resolve(token)])
    expect(found).toEqual([keys[token], keys[other], keys[token]])
    expect(store.asked).toEqual([token, other])
  })
  it('that is unknown is not looked up if its format is wrong, and not cached otherwise', async () => {
    const { store, resolve } = ring()
    expect([resolve('nonsense'), store.asked]).toEqual([null, []])
    expect([await resolve(token), await resolve(token)]).toEqual([null, null])
    expect(store.asked.length).toBe(2)
  })
  it('is asked for anew after a look-up that failed', async () => {
    const { store, resolve } = ring(keys)
    store.broken = true
    await expect(resolve(token)).rejects.toThrow('away')
    store.broken = false
    expect(await resolve(token)).toBe(keys[token])
  })
  it('is cached with at most ten thousand others; the oldest leaves first', async () => {
    const { store, resolve } = ring(keys)
    await resolve(token)
    await resolve(other)
    const strangers = Array.from({ length: 9_999 }, makeToken)
    const pending = strangers.map((stranger) => resolve(stranger))
    expect(resolve(other)).toBe(keys[other])
    expect(resolve(token)).not.toBe(keys[token])
    await Promise.all(pending)
    expect(store.asked.filter((asked) => asked === token).length).toBe(2)
  })
})

describe('the uses of keys', () => {
  it('are stored once for each key, the latest one, and only new ones', async () => {
    const { clock, store, used, flush } = ring()
    await flush()
    used(keyOf('a'), '192.0.2.1')
    clock.now += 5
    used(keyOf('a'), '192.0.2.2')
    used(keyOf('b'), '192.0.2.3')
    await flush()
    await flush()
    const at_ms = clock.now
    expect(store.uses).toEqual([
      [
        { account: 7, id: 'a', at_ms, ip: '192.0.2.2' },
        { account: 7, id: 'b', at_ms, ip: '192.0.2.3' },
      ],
    ])
  })
  it('are kept if they could not be stored, and replaced by later ones', async () => {
    const { clock, store, used, flush } = ring()
    used(keyOf('a'), '192.0.2.1')
    used(keyOf('b'), '192.0.2.1')
    store.broken = true
    const flushing = flush()
    clock.now += 5
    used(keyOf('a'), '192.0.2.2')
    await expect(flushing).rejects.toThrow('away')
    store.broken = false
    await flush()
    expect(store.uses.flat().map(({ id, ip }) => `${id} ${ip}`)).toEqual(['a 192.0.2.2', 'b 192.0.2.1'])
  })
})
