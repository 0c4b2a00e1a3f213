import type { ServerResponse } from 'node:http'
import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'

export const WINDOW_S = 60
/** A budget of an account for one window, e.g. all its requests, or those that push records. */
export type Ceiling = { readonly name: string; readonly limit: number }
/** Requests counted in the current window, by ceiling. */
type Count = { readonly minute: number; readonly requests: ReadonlyMap<string, number> }
/** Counts one request against every ceiling; null when the counter cannot be reached. */
export type Counter = (account: number, ceilings: readonly Ceiling[]) => Count | Promise<Count | null>
export type Verdict = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

const minuteOf = (epochMs: number) => Math.floor(epochMs / 1000 / WINDOW_S)

/** Counts in this process: for a cell that has no other. */
export function countInMemory(now: () => number): Counter {
  let minute = 0
  let counts = new Map<string, number>()
  return (account, ceilings) => {
    const current = minuteOf(now())
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    const requests = new Map<string, number>()
    for (const { name } of ceilings) {
      const key = `${account} ${name}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      requests.set(name, count)
    }
    return { minute, requests }
  }
}

const take = statement<{ account: number; names: string[] }, { ceiling: string; minute: string; requests: number }>(`
  insert into rate_windows as w (account_id, ceiling, minute, requests)
  select $account::integer, name, floor(extract(epoch from clock_timestamp()) / ${WINDOW_S})::bigint, 1
  from unnest($names::text[]) as name order by name
  on conflict (account_id, ceiling, minute) do update set requests = w.requests + 1
  returning ceiling, minute, requests`)

/** Counts in the database, for a cell of several processes. The database's clock tells the window. */
export function countInDatabase(db: Database, away: (error: unknown) => void): Counter {
  return async (account, ceilings) => {
    try {
      const names = ceilings.map(({ name }) => name)
      const rows = await db.askSystem('count a request', take, { account, names })
      return { minute: Number(rows[0]?.minute), requests: new Map(rows.map((row) => [row.ceiling, row.requests])) }
    } catch (error) {
      away(error) // better to serve than to refuse everybody because a counter is away
      return null
    }
  }
}

/** What the ceilings leave, as the tightest of them says. */
export function judge({ minute, requests }: Count, ceilings: readonly Ceiling[]): Verdict {
  const resetAt = (minute + 1) * WINDOW_S
  const verdicts = ceilings.map(({ name, limit }): Verdict => {
    const used = requests.get(name) ?? 0
    return { allowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetAt }
  })
  const tightest = verdicts.reduce((a, b) =>
    b.remaining < a.remaining || (b.remaining === a.remaining && b.limit < a.limit) ? b : a,
  )
  return { ...tightest, allowed: verdicts.every(({ allowed }) => allowed) }
}

export function writeHeaders(response: ServerResponse, { limit, remaining, resetAt }: Verdict): void {
  response.setHeader('x-ratelimit-limit', limit)
  response.setHeader('x-ratelimit-remaining', remaining)
  response.setHeader('x-ratelimit-reset', resetAt)
}
