import { describe, expect, it } from 'vitest'
import { fakeTx } from '../../../test/harness/fake-tx.ts'
import { undeclared } from '../../../test/harness/undeclared.ts'
import type { AccountTx } from '../db/account-tx.ts'
import { type JsonText, jsonText } from '../json-text.ts'
import { deriveKey, sealWith } from '../seal.ts'
import { idempotencyPurge, once } from './idempotency.ts'
import type { RouteAnswer } from './route.ts'

const SEAL = sealWith(deriveKey('a secret', 'answers'))
const [ONE, OTHER] = [Buffer.from('one'), Buffer.from('other')]
const CREATED = 201
const anything = undeclared<{ account: number }, { done: true }>('select true as done')

/** The answers of an account that are remembered, and what asks for them. */
function account() {
  const kept = new Map<unknown, Record<string, unknown>>()
  const state = { running: '', writes: 0 }
  async function ask(
    handled: JsonText | RouteAnswer | Error,
    { key = 'a', print = ONE, seal = SEAL, work = async (_: AccountTx): Promise<unknown> => null } = {},
  ) {
    const { tx, sentTo } = fakeTx((text, input) => {
      if (text.includes('advisory')) return [{ mine: state.running !== input.key }]
      if (text.includes('idempotency_keys')) return [kept.get(input.key)].filter((row) => row !== undefined)
      return [{ done: true }]
    })
    const answer = await once(tx, key, print, { seal, status: CREATED }, async (same) => {
      state.writes++
      await work(same)
      if (handled instanceof Error) throw handled
      return handled
    })
    for (const { print: fingerprint, ...row } of sentTo('insert into idempotency_keys'))
      kept.set(row.key, { ...row, fingerprint })
    return answer
  }
  return { kept, state, ask }
}

describe('a write under a key', () => {
  it.each<[string, JsonText | RouteAnswer, object]>([
    ['a text', jsonText({ a: 1 }), { status: CREATED, body: '{"a":1}' }],
    ['an answer', { body: jsonText({ a: 1 }) }, { status: CREATED, body: '{"a":1}' }],
    [
      'one that says where it is, and a status of its own',
      { body: jsonText({}), location: '/a', status: 202 },
      { status: 202, location: '/a', body: '{}' },
    ],
    ['the last success that there is', { body: jsonText({}), status: 299 }, { status: 299, body: '{}' }],
  ])('is done once, and its answer is replayed: %s', async (_, handled, expected) => {
    const { ask, state } = account()
    expect(await ask(handled)).toEqual({ ...expected, replayed: false })
    expect(await ask(jsonText({ another: true }))).toEqual({ ...expected, replayed: true })
    expect(state.writes).toBe(1)
  })
  it('is repeated if it failed, or was not successful', async () => {
    const { ask, kept } = account()
    await expect(ask(new Error('refused'))).rejects.toThrow('refused')
    expect(await ask({ body: jsonText({}), status: 300 })).toEqual({ status: 300, body: '{}', replayed: false })
    expect([kept.size, await ask(jsonText({}))]).toEqual([0, { status: CREATED, body: '{}', replayed: false }])
  })
  it('is not done under the key of another request, and the answer of that one stays', async () => {
    const { ask, state } = account()
    await ask(jsonText('first'))
    await expect(ask(jsonText('second'), { print: OTHER })).rejects.toMatchObject({
      code: 'idempotency_key_reuse',
      message: expect.stringContaining('new key'),
    })
    expect(state.writes).toBe(1)
    expect(await ask(jsonText('third'), { key: 'b', print: OTHER })).toMatchObject({ replayed: false, body: '"third"' })
    expect(await ask(jsonText('fourth'))).toMatchObject({ replayed: true, body: '"first"' })
  })
  it('is refused during the first call, identical or not, with a Retry-After', async () => {
    const { ask, state } = account()
    await ask(jsonText('first'))
    state.running = 'a'
    for (const print of [ONE, OTHER])
      await expect(ask(jsonText('second'), { print })).rejects.toMatchObject({
        code: 'idempotency_conflict',
        retryAfter: 1,
        message: expect.stringContaining('again'),
      })
    expect([state.writes, (await ask(jsonText({}), { key: 'b' })).replayed]).toEqual([1, false])
  })
  it('is stored in its own transaction, whose last statement does not end it', async () => {
    const { ask } = account()
    const done: unknown[] = []
    await ask(jsonText({}), {
      work: async (tx) => done.push(await tx.last(anything, {}), await tx.one(anything, {}), tx.account),
    })
    expect(done).toEqual([{ done: true }, { done: true }, 1])
  })
  it('stores its answer encrypted, unreadable with another secret', async () => {
    const { ask, kept, state } = account()
    await ask(jsonText('a name'))
    expect([...kept.values()].map(({ body }) => SEAL.open(body as Buffer))).toEqual(['"a name"'])
    expect(JSON.stringify([...kept.values()])).not.toContain('a name')
    const seal = sealWith(deriveKey('another', 'answers'))
    await expect(ask(jsonText('again'), { seal })).rejects.toMatchObject({
      code: 'idempotency_key_reuse',
      message: expect.stringContaining('took effect'),
    })
    expect(state.writes).toBe(1)
  })
})

it('keys past their time are forgotten every hour, of all accounts', async () => {
  const asked: string[] = []
  const askSystem = async (why: string, { text }: { text: string }) => void asked.push(why, text)
  await idempotencyPurge.run({ db: { askSystem } as never }, new AbortController().signal)
  expect(asked).toEqual([expect.stringContaining('all accounts'), expect.stringMatching(/delete .*7 days/)])
  expect([idempotencyPurge.name, idempotencyPurge.dueAgain]).toEqual([
    'idempotency keys',
    expect.stringContaining('1 hour'),
  ])
})
