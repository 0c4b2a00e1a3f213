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

/** Requests a second of an address under load. With `reads`, accounts take turns; without, any key is sent along. */
export async function load(url: string, reads: Budget<Agency>, counted: boolean): Promise<number> {
  if (counted) await reads.ready(ROUND_MOST, PORTION)
  let turn = 0
  let left = 0
  let headers = bearer('sek_none')
  const next = () => {
    left = PORTION - CONNECTIONS
    turn++
    const agency = counted ? reads.tryTake(PORTION) : null
    if (counted && !agency) throw new Error('The accounts have no requests left')
    headers = bearer(agency?.key ?? `sek_${'0'.repeat(49)}`)
  }
  next()
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient(client) {
      let own = turn
      client.setHeaders(headers)
      client.on('response', () => {
        if (--left <= 0) next()
        if (own === turn) return
        own = turn
        client.setHeaders(headers)
      })
    },
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`${failed} requests of ${url} failed`)
  return result['2xx'] / result.duration
}

/** Sends a body and answers what came back; anything but 200 ends the benchmark. */
export async function post(url: string, key: string, body: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status} ${text.slice(0, 500)}`)
  return text
}

export async function get(url: string, key: string): Promise<string> {
  const answer = await fetch(url, { headers: bearer(key) })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status} ${text.slice(0, 500)}`)
  return text
}
