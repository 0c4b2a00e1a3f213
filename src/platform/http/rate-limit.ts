import type { Database } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import { statement } from '../db/statement.ts'
import { every, type ScheduledJob } from '../jobs/schedule.ts'
import { counter } from '../metrics/instruments.ts'

export const WINDOW_S = 60
/** A budget of an account for one window, e.g. all its requests, or those that push records. */
export type Ceiling = { readonly name: string; readonly limit: number }
/** Requests counted in the current window, one number for each ceiling asked for. */
export type WindowCounts = { readonly minute: number; readonly requests: readonly number[] }
/** Counts one request against every ceiling; null when the counter cannot be reached. */
export type RequestCounter = {
  (account: number, ceilings: readonly Ceiling[]): WindowCounts | Promise<WindowCounts | null>
  /** Answers at once. */
  readonly inMemory?: true
}
export type RateDecision = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

const minuteOf = (epochMs: number) => Math.floor(epochMs / 1000 / WINDOW_S)

/** Counts in this process: for a cell that has no other. */
export function countInMemory(now: () => number): RequestCounter {
  let minute = 0
  /** Ceiling → account → requests. */
  let counts = new Map<string, Map<number, number>>()
  const countOne = (account: number, name: string): number => {
    const own = counts.get(name) ?? new Map<number, number>()
    counts.set(name, own)
    const requests = (own.get(account) ?? 0) + 1
    own.set(account, requests)
    return requests
  }
  const countAll = (account: number, ceilings: readonly Ceiling[]): WindowCounts => {
    const current = minuteOf(now())
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    return { minute, requests: ceilings.map(({ name }) => countOne(account, name)) }
  }
  return Object.assign(countAll, { inMemory: true as const })
}

const take = statement(
  { account: pg.integer, names: pg.list(pg.text) },
  { ceiling: pg.text, minute: pg.bigint, requests: pg.integer },
  `
  insert into rate_windows as w (account_id, ceiling, minute, requests)
  select $account::integer, name, floor(extract(epoch from clock_timestamp()) / ${WINDOW_S})::bigint, 1
  from unnest($names::text[]) as name order by name
  on conflict (account_id, ceiling, minute) do update set requests = w.requests + 1
  returning ceiling, minute, requests`,
)

const uncounted = counter(
  'backdesk_uncounted_requests_total',
  'Requests allowed without counting because the rate counter was unavailable.',
)

/** Counts in the database, for a cell with several processes. The database's clock defines the window. */
export function countInDatabase(db: Database, away: (error: unknown) => void): RequestCounter {
  return async (account, ceilings) => {
    try {
      const names = ceilings.map(({ name }) => name)
      const rows = await db.askSystem('count a request', take, { account, names })
      const requests = new Map(rows.map((row) => [row.ceiling, row.requests]))
      return { minute: Number(rows[0]?.minute), requests: names.map((name) => requests.get(name) ?? 0) }
    } catch (error) {
      uncounted.add([])
      away(error) // serving is better than refusing everyone because the counter is unavailable
      return null
    }
  }
}

const purge = statement(
  {},
  {},
  `delete from rate_windows where minute < floor(extract(epoch from now()) / ${WINDOW_S})::bigint - 1`,
)

/** Forgets the windows that are over. */
export const rateWindowPurge: ScheduledJob<{ db: Database }> = {
  name: 'rate windows',
  dueAgain: every('1 minute'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge counters of all accounts', purge, {}),
}

/** The remaining requests, by the tightest limit. */
export function judge({ minute, requests }: WindowCounts, ceilings: readonly Ceiling[]): RateDecision {
  const resetAt = (minute + 1) * WINDOW_S
  let tightest: RateDecision = {
    allowed: true,
    limit: Number.POSITIVE_INFINITY,
    remaining: Number.POSITIVE_INFINITY,
    resetAt,
  }
  for (const [at, { limit }] of ceilings.entries()) {
    const used = requests[at] ?? 0
    const [allowed, remaining] = [tightest.allowed && used <= limit, Math.max(0, limit - used)]
    const tighter = remaining < tightest.remaining || (remaining === tightest.remaining && limit < tightest.limit)
    tightest = tighter ? { allowed, limit, remaining, resetAt } : { ...tightest, allowed }
  }
  return tightest
}

/** Counts one request; returns the seconds to wait if the limit is exceeded, otherwise null. */
export async function waitFor(
  count: RequestCounter,
  account: number,
  ceiling: Ceiling,
  now: number,
): Promise<number | null> {
  const counted = await count(account, [ceiling])
  const verdict = counted && judge(counted, [ceiling])
  return verdict && !verdict.allowed ? secondsUntil(verdict, now) : null
}

/** The window may be of another clock, so it is no longer than a window. */
export const secondsUntil = ({ resetAt }: RateDecision, now: number): number =>
  Math.min(Math.max(1, Math.ceil(resetAt - now / 1000)), WINDOW_S)

export const LIMIT_HEADER = 'x-ratelimit-limit'
export function writeHeaders(reply: { header(name: string, value: number): unknown }, verdict: RateDecision): void {
  reply.header(LIMIT_HEADER, verdict.limit)
  reply.header('x-ratelimit-remaining', verdict.remaining)
  reply.header('x-ratelimit-reset', verdict.resetAt)
}
