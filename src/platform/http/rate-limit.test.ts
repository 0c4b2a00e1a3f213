import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import {
  type Ceiling,
  countInDatabase,
  countInMemory,
  judge,
  type RequestCounter,
  rateWindowPurge,
  secondsUntil,
  WINDOW_S,
  waitFor,
} from './rate-limit.ts'

type Verdict = ReturnType<typeof judge>
const WINDOW_MS = WINDOW_S * 1000
const ALL: Ceiling = { name: 'all', limit: 5 }
const INGEST: Ceiling = { name: 'ingest', limit: 2 }
/** A counter on a clock that the test sets; answers the verdict of each request. */
function counter(start = 0) {
  const clock = { now: start }
  const count = countInMemory(() => clock.now)
  const ask = (account: number, ceilings: readonly Ceiling[]): Verdict => {
    const counted = count(account, ceilings)
    if (counted === null || counted instanceof Promise) throw new Error('counts at once')
    return judge(counted, ceilings)
  }
  return { clock, ask }
}

describe('the requests of an account', () => {
  it('are allowed up to the limit in one window, and refused after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100 }), (limit, requests) => {
        const { ask } = counter()
        const verdicts = Array.from({ length: requests }, () => ask(1, [{ name: 'all', limit }]))
        expect(verdicts.map(({ allowed }) => allowed)).toEqual(verdicts.map((_, at) => at < limit))
        expect(verdicts.map(({ remaining }) => remaining)).toEqual(verdicts.map((_, at) => Math.max(0, limit - at - 1)))
      }),
    )
  })
  it('are counted in windows aligned to the minute of the epoch, whose end is the reset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000_000_000 }), (now) => {
        const { clock, ask } = counter(now)
        const first = ask(1, [ALL])
        const end = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS
        expect(first.resetAt * 1000).toBe(end)
        clock.now = end - 1
        expect(ask(1, [ALL])).toMatchObject({ remaining: ALL.limit - 2, resetAt: first.resetAt })
        clock.now = end
        expect(ask(1, [ALL])).toMatchObject({ remaining: ALL.limit - 1, resetAt: first.resetAt + WINDOW_S })
      }),
    )
  })
  it('are nothing to another account’s, and refused ones count on', () => {
    const { ask } = counter()
    for (let nth = 0; nth < 100; nth++) ask(1, [ALL])
    expect(ask(1, [ALL]).allowed).toBe(false)
    expect(ask(2, [ALL])).toMatchObject({ allowed: true, remaining: ALL.limit - 1 })
    expect(ask(1, [{ ...ALL, limit: 102 }])).toMatchObject({ allowed: true, remaining: 0 })
  })
  it('that push records count against both ceilings, and others against the account’s alone', () => {
    const { ask } = counter()
    ask(1, [ALL, INGEST])
    ask(1, [ALL])
    expect(ask(1, [ALL, INGEST])).toMatchObject({ allowed: true, limit: INGEST.limit, remaining: 0 })
    expect(ask(1, [ALL, INGEST])).toMatchObject({ allowed: false, limit: INGEST.limit })
    expect(ask(1, [ALL])).toMatchObject({ allowed: true, limit: ALL.limit, remaining: 0 })
  })
})

describe('the verdict', () => {
  const ceilings = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 120 })), {
    minLength: 1,
    maxLength: 4,
  })
  it('allows what every ceiling allows, and reports the one with the least remaining, whatever their order', () => {
    fc.assert(
      fc.property(ceilings, fc.nat(), (pairs, minute) => {
        const judged = (order: typeof pairs) =>
          judge(
            { minute, requests: order.map(([, used]) => used) },
            order.map(([limit], at) => ({ name: String(at), limit })),
          )
        const left = pairs.map(([limit, used]) => ({ limit, remaining: Math.max(0, limit - used) }))
        const verdict = judged(pairs)
        expect(verdict.allowed).toBe(pairs.every(([limit, used]) => used <= limit))
        expect(verdict.remaining).toBe(Math.min(...left.map(({ remaining }) => remaining)))
        const tightest = left.filter(({ remaining }) => remaining === verdict.remaining)
        expect(verdict.limit).toBe(Math.min(...tightest.map(({ limit }) => limit)))
        expect(judged(pairs.toReversed())).toEqual(verdict)
      }),
    )
  })
})

describe('requests that several processes count', () => {
  const rows = [
    { ceiling: 'ingest', minute: '7', requests: 2 },
    { ceiling: 'all', minute: '7', requests: 3 },
  ]
  /** A counter over a database with these answers, its statements, and its log while the database is unavailable. */
  function counting(answer: () => unknown) {
    const asked: unknown[] = []
    const away: unknown[] = []
    const askSystem = async (why: string, _: unknown, input: unknown) => {
      asked.push([why, input])
      return answer()
    }
    return { asked, away, count: countInDatabase({ askSystem } as unknown as Database, (error) => away.push(error)) }
  }
  it('are those of the database’s window, each under its ceiling in whatever order they come back', async () => {
    const { asked, count } = counting(() => rows)
    expect(await count(1, [ALL, INGEST])).toEqual({ minute: 7, requests: [3, 2] })
    expect(asked).toEqual([['count a request', { account: 1, names: ['all', 'ingest'] }]])
  })
  it('are unknown, and an error is logged, while the database is unavailable', async () => {
    const { away, count } = counting(() => {
      throw new Error('away')
    })
    expect([await count(1, [ALL]), away]).toEqual([null, [new Error('away')]])
  })
  it('are forgotten a minute after their window', async () => {
    const asked: string[] = []
    const askSystem = async (why: string, { text }: { text: string }) => void asked.push(why, text)
    await rateWindowPurge.run({ db: { askSystem } as never }, new AbortController().signal)
    expect(asked).toEqual([expect.stringContaining('all accounts'), expect.stringContaining('delete')])
    expect([rateWindowPurge.name, rateWindowPurge.dueAgain]).toEqual([
      'rate windows',
      expect.stringContaining('1 minute'),
    ])
  })
})

describe('who asks to go on', () => {
  const counted = (requests: number): RequestCounter => {
    return (_, ceilings) => ({ minute: 1, requests: ceilings.map(() => requests) })
  }
  it('waits for the next window after one too many, and not at all before', async () => {
    expect(await waitFor(counted(ALL.limit), 1, ALL, 60_000)).toBeNull()
    expect(await waitFor(counted(ALL.limit + 1), 1, ALL, 90_500)).toBe(30)
  })
  it('continues while the counter is unavailable', async () => {
    expect(await waitFor(async () => null, 1, ALL, 0)).toBeNull()
  })
  it('waits a second at least and a window at most, whatever the clocks say', () => {
    const verdict = judge({ minute: 1, requests: [1] }, [ALL])
    expect([0, 60_000, 119_999, 120_000, 500_000].map((now) => secondsUntil(verdict, now))).toEqual([60, 60, 1, 1, 1])
  })
})
