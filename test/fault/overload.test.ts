import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { auditOwn } from '../../src/platform/audit.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { isDatabaseUnavailable } from '../../src/platform/db/failures.ts'
import { openPool, withSession } from '../../src/platform/db/pool.ts'
import { countInMemory } from '../../src/platform/http/rate-limit.ts'
import { overload } from '../../src/platform/overload.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

const SHED_AFTER_MS = 300
const CONNECTIONS = 2
const one = undeclared<object, { one: number }>('select 1 as one')

describe('a process that is too far behind', () => {
  it('refuses what it has no time for, answers who asks how it is, and takes work again at once', async () => {
    const cell = await startCell({ deps: { count: uncounted } })
    const agency = await makeAgency(cell)
    const db = openDatabase(cell.connection, CONNECTIONS, () => {})
    const config = { ...cell.deps.config, shedAfterMs: SHED_AFTER_MS }
    const key = await cell.deps.keys.resolve(agency.key)
    const keys = { ...cell.deps.keys, atHand: (token: string) => (token === agency.key ? key : null) }
    const app = buildApp({ ...cell.deps, db, config, keys, count: countInMemory(() => Date.now()) })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const get = (path: string, headers = {}) =>
      fetch(origin + path, { headers: { authorization: `Bearer ${agency.key}`, ...headers } })
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
    while (db.expectedWaitMs() <= SHED_AFTER_MS) await sleep(20)

    const refused = await get('/api/v1/customers', { authorization: 'Bearer nobody', 'x-request-id': 'mine' })
    expect([refused.status, await refused.json(), Object.fromEntries(refused.headers)]).toEqual([
      503,
      { error: expect.stringContaining('Try again'), code: 'unavailable' },
      expect.objectContaining({
        'retry-after': expect.stringMatching(/^\d+$/),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': 'mine',
      }),
    ])
    expect(refused.headers.has('x-ratelimit-limit')).toBe(false)
    const known = await get('/api/v1/customers')
    expect([known.status, known.headers.get('x-ratelimit-limit')]).toEqual([503, '3000'])
    expect([(await get('/api/v1/health')).status, (await get('/ready')).status]).toEqual([200, 200])

    release.resolve()
    await Promise.all(all.map(({ held }) => held))
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect((await get('/api/v1/customers')).status).toBe(200)
    await app.close()
    await db.close()
  })
  it('limits the wait for a connection', async () => {
    const { connection } = await startCell()
    const pool = openPool(connection, 'backdesk_app', 1, () => {}, undefined, { connectionTimeoutMillis: 1_000 })
    const held = await pool.connect()
    const error = await withSession(pool, async () => null).catch((reason: unknown) => reason)
    held.release()
    await pool.end()
    expect(isDatabaseUnavailable(error)).toBe(true) // which is answered with 503 and Retry-After
  })
  it('is one whose event loop is late twice in a row, and not one that had a long piece of work', async () => {
    const load = overload({ expectedWaitMs: () => 0 }, 100)
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

const OPERATOR = { name: 'ayse', source: 'a test' }
/** In whatever order it is made. */
const WORK: readonly [string, (db: Database) => Database][] = [
  ['of an operator', (db) => db.as(OPERATOR).behindRequests()],
  ['given to an operator', (db) => db.behindRequests().as(OPERATOR)],
  ['put behind twice', (db) => db.as(OPERATOR).behindRequests().behindRequests()],
]
const ownOperator = undeclared<{ account: number }, { actor: string; source: string }>(
  `select actor, source from audit_log where account_id = $account::integer and action = 'test.done'`,
)

it.each(WORK)('work behind the requests, %s, is audited as that operator’s', async (_, workOf) => {
  const cell = await startCell()
  const { number } = await makeAgency(cell)
  const entry = { action: 'test.done', subjectType: 'test', subjectId: '1' }
  await workOf(cell.deps.db).inAccount(number, async (tx) => auditOwn(tx, entry))
  const rows = await cell.deps.db.askSystem('a test', ownOperator, { account: number })
  expect(rows).toEqual([{ actor: OPERATOR.name, source: OPERATOR.source }])
})

it.each(WORK)('work behind the requests, %s, leaves the last connection to their look-ups', async (_, workOf) => {
  const { deps } = await startCell()
  const release = Promise.withResolvers<void>()
  const work = workOf(deps.db)
  let holding = 0
  const all = Array.from({ length: 20 }, () =>
    work.asSystem('a test', async (tx) => {
      await tx.all(one, {})
      holding++
      await release.promise
    }),
  )
  const held = () => deps.db.load().pools.system.inUse
  while (holding === 0 || holding < held()) await sleep(5)
  const asked = await Promise.all(Array.from({ length: 5 }, () => deps.db.askSystem('a test', one, {})))
  const [waits, worked] = [deps.db.longestWaitMs(), holding]
  release.resolve()
  await Promise.all(all)
  expect([asked.flat(), waits, worked < 20, holding]).toEqual([Array(5).fill({ one: 1 }), 0, true, 20])
})
