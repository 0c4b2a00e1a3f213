import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { overload } from '../../src/platform/overload.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'

const SHED_AFTER_MS = 300
const CONNECTIONS = 2

describe('a process that is too far behind', () => {
  it('refuses what it has no time for, answers who asks how it is, and takes work again at once', async () => {
    const cell = await startCell({ deps: { count: uncounted } })
    const agency = await makeAgency(cell)
    const db = openDatabase(cell.connection, CONNECTIONS, () => {})
    const config = { ...cell.deps.config, shedAfterMs: SHED_AFTER_MS }
    const app = buildApp({ ...cell.deps, db, config })
    const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${agency.key}` } })
    const release = Promise.withResolvers<void>()
    const hold = () => {
      const holding = Promise.withResolvers<void>()
      const held = db.inAccount(agency.number, async (tx) => {
        await tx.now
        holding.resolve()
        await release.promise
      })
      return { holding: holding.promise, held }
    }
    await get('/api/v1/customers') // so that the program is ready
    const all = Array.from({ length: CONNECTIONS }, hold)
    await Promise.all(all.map(({ holding }) => holding))
    const waiting = Array.from({ length: 5 }, () => get('/api/v1/customers'))
    while (db.longestWaitMs() <= SHED_AFTER_MS) await sleep(20)

    const refused = await get('/api/v1/customers')
    expect([refused.statusCode, refused.json(), Number(refused.headers['retry-after'])]).toEqual([
      503,
      { error: expect.stringContaining('Try again'), code: 'unavailable' },
      expect.any(Number),
    ])
    expect([(await get('/api/v1/health')).statusCode, (await get('/ready')).statusCode]).toEqual([200, 200])

    release.resolve()
    await Promise.all(all.map(({ held }) => held))
    expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200))
    expect((await get('/api/v1/customers')).statusCode).toBe(200)
    await app.close()
    await db.close()
  })
  it('is one whose event loop is late twice in a row, and not one that had a long piece of work', async () => {
    const load = overload({ longestWaitMs: () => 0 }, 100)
    const work = (ms: number) => {
      for (const end = performance.now() + ms; performance.now() < end; ) Math.random()
    }
    await sleep(150)
    work(400)
    await new Promise(setImmediate)
    expect(load.behind()).toBeNull()
    const seen = new Set<string | null>()
    for (let turn = 0; turn < 4; turn++) {
      work(300)
      await sleep(0)
      seen.add(load.behind())
    }
    expect(seen).toContain('event_loop')
    while (load.behind() !== null) await sleep(20)
    load.stop()
  })
})
