import autocannon from 'autocannon'
import type { Agency } from './agencies.ts'
import type { Budget } from './budget.ts'

const CONNECTIONS = 32
const SECONDS = 2
/** Requests that one account sends before the next takes over. */
const PORTION = 2_400
/** More than a round can send. */
const ROUND_MOST = 80_000

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** What the connections send while it is the turn of one account. */
export type Turn = {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Requests a second of an address under load. With `reads`, accounts take turns; without, any key is sent along. */
export async function load(url: string, reads: Budget<Agency>, counted: boolean): Promise<number> {
  const { origin, pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  if (counted) return loadByAccount(origin, reads, ({ key }) => ({ path, headers: bearer(key) }))
  return loadInTurns(origin, () => ({ path, headers: bearer(`sek_${'0'.repeat(49)}`) }))
}

/** The same with a request per account, within its limits. */
export async function loadByAccount(
  origin: string,
  reads: Budget<Agency>,
  turnOf: (agency: Agency) => Turn,
): Promise<number> {
  await reads.ready(ROUND_MOST, PORTION)
  return loadInTurns(origin, () => {
    const agency = reads.tryTake(PORTION)
    if (!agency) throw new Error('The accounts have no requests left')
    return turnOf(agency)
  })
}

export async function loadInTurns(origin: string, take: () => Turn): Promise<number> {
  let turns = 0
  let left = 0
  let turn: Turn
  const next = () => {
    left = PORTION - CONNECTIONS
    turns++
    turn = take()
  }
  next()
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient(client) {
      let own = turns
      client.setRequests([{ ...turn }]) // each client writes into its own
      client.on('response', () => {
        if (--left <= 0) next()
        if (own === turns) return
        own = turns
        client.setRequests([{ ...turn }])
      })
    },
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} requests of ${origin} failed`)
  return result['2xx'] / result.duration
}

/** Sends a body and returns the response. Any status other than 200 ends the benchmark. */
export const post = (url: string, key: string, body: string): Promise<string> =>
  ask(url, { method: 'POST', headers: { ...bearer(key), 'content-type': 'application/json' }, body })
/** The same without a body. */
export const get = (url: string, key: string): Promise<string> => ask(url, { headers: bearer(key) })

async function ask(url: string, request: RequestInit): Promise<string> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status} ${text.slice(0, 500)}`)
  return text
}
