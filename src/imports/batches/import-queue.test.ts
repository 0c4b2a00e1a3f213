import { describe, expect, it } from 'vitest'
import { databaseError, fakeTx } from '../../../test/harness/fake-tx.ts'
import { hotelStays } from '../../features/bookings/verticals/hotel-stays.entity.ts'
import type { Database } from '../../platform/db/database.ts'
import { ConnectionLost } from '../../platform/db/failures.ts'
import { noCounts } from '../engine/run.ts'
import { lockLeasedBatch } from './import-chunk.store.ts'
import type { ChunkResult } from './import-chunk.ts'
import { importQueue } from './import-queue.ts'

const AWAY = new ConnectionLost(new Error('away'))
const FULL = databaseError('53100')
const BROKEN = new Error('broken')
type Step = ChunkResult | Error

/**
 * A queue with one batch, whose chunks follow the steps; after the last step, the end of a batch that cannot continue
 * is written.
 */
async function work(steps: readonly Step[], { attempts = 1, failures = 0, stopAfter = Number.POSITIVE_INFINITY } = {}) {
  const left = [...steps]
  const done: string[] = []
  const stopping = new AbortController()
  const db = {
    askSystem: async (why: string, _: unknown, input: { lease: string; ms?: number }) => {
      expect([why, input.lease]).toEqual([expect.stringContaining('account'), expect.stringMatching(/^[\w-]{36}$/)])
      if (why.startsWith('claim')) return attempts > 0 ? [{ account: 7, id: 'batch', attempts, failures }] : []
      expect(input).toMatchObject({ account: 7, id: 'batch' })
      done.push(input.ms === undefined ? 'given back' : `in ${input.ms} ms`)
      return []
    },
    inAccount: async (account: number, fn: (tx: unknown) => Promise<unknown>) => {
      const { tx, sent } = fakeTx()
      await fn(tx)
      expect([account, sent[0]?.input]).toEqual([
        7,
        expect.objectContaining({ id: 'batch', lease: expect.any(String) }),
      ])
      if (sent.length === 1) return void done.push('ended') // it looks for no chunk
      const step = left.shift() ?? 'lost'
      if (steps.length - left.length >= stopAfter) stopping.abort()
      if (step instanceof Error) throw step
      done.push(step)
      return step
    },
  }
  const logged: unknown[] = []
  const log = { error: (what: object, text: string) => void logged.push([what, text]) }
  const { claim } = queueOver(db, log)
  const job = await claim()
  await job?.(stopping.signal)
  return { claimed: job !== null, done, logged }
}
const queueOver = (db: object, log: object = {}) =>
  importQueue(
    { db: db as Database, log: log as never, importables: [hotelStays], onEnd: () => {} },
    { leaseMs: 5, backoffMs: 10, awayMs: 0 },
  )

describe('a batch', () => {
  it.each<[string, ChunkResult[]]>([
    ['its end', ['more', 'more', 'finished']],
    ['where somebody else has taken over', ['more', 'lost']],
  ])('is worked on chunk after chunk to %s, and then left', async (_, steps) => {
    expect((await work(steps)).done).toEqual(steps)
  })
  it('is null if none is waiting', async () => {
    expect(await work([], { attempts: 0 })).toEqual({ claimed: false, done: [], logged: [] })
  })
  it('is given back between two chunks by a process that is to stop', async () => {
    expect((await work(['more', 'more', 'finished'], { stopAfter: 2 })).done).toEqual(['more', 'more', 'given back'])
  })
  it('continues after the database was unavailable or full, which does not count as a failure', async () => {
    const { done, logged } = await work(['more', AWAY, FULL, AWAY, FULL, AWAY, 'finished'])
    expect([done, logged]).toEqual([['more', 'finished'], []])
  })
  it.each([
    [0, ['in 10 ms']],
    [1, ['in 40 ms']],
    [2, ['in 160 ms']],
    [3, ['in 640 ms']],
    [4, ['ended']],
  ])('that failed waits longer each time, and is ended at the fifth: after %d failures', async (failures, expected) => {
    const { done, logged } = await work([BROKEN], { failures })
    expect(done).toEqual(expected)
    const what = { err: BROKEN, account: 7, batch: 'batch', failures: failures + 1 }
    expect(logged).toEqual([[what, expect.stringContaining('failed')]])
  })
  it('has failed anew after a chunk that was done', async () => {
    expect((await work(['more', BROKEN], { failures: 4 })).done).toEqual(['more', 'in 10 ms'])
  })
  it('is ended unseen where process after process died of it', async () => {
    expect((await work(['finished'], { attempts: 25 })).done).toEqual(['finished'])
    expect((await work([], { attempts: 26 })).done).toEqual(['ended'])
  })
  it('is claimed for as long as a lease lasts, each time by another one', async () => {
    const claims: { lease: string; ms: number }[] = []
    const queue = queueOver({
      askSystem: async (_: string, __: unknown, input: (typeof claims)[number]) => {
        claims.push(input)
        return []
      },
    })
    await queue.claim()
    await queue.claim()
    expect(claims.map(({ ms }) => ms)).toEqual([5, 5])
    expect(claims[0]?.lease).not.toBe(claims[1]?.lease)
    expect(queue.due).toContain('from import_batches')
  })
  it('is of an entity that the queue knows', async () => {
    const origin = { source: 'sheet', company: 'company', branch: null, principal: 'seat' }
    const state = { conflict: 'skip', counts: noCounts(1), processed: 0, ignored: [], options: {} }
    const held = { entity: 'hotel_stays', ...origin, ...state }
    const { tx, sentTo } = fakeTx((text) => (text === lockLeasedBatch.text ? [held] : []))
    const found = [{ account: 7, id: 'batch', attempts: 1, failures: 0 }]
    const db = { askSystem: async () => found, inAccount: (_: number, fn: (tx: unknown) => unknown) => fn(tx) }
    await (await queueOver(db).claim())?.(new AbortController().signal)
    expect(sentTo('finished_at = clock_timestamp()')).toMatchObject([
      { error: expect.stringContaining('internal error') },
    ])
  })
})
