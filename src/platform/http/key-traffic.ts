import type { Principal } from '../access/principal.ts'
import { counter } from '../metrics/instruments.ts'

/**
 * The only labels whose values are not words of the program: the number of an account and the id of a key. A process has
 * as many series of each as this; the keys that it meets later are counted together.
 */
const MOST_KEYS = 2_000
const OTHERS = ['other', 'other']
const SESSIONS = 'sessions'
const LABELS = ['account', 'key']
const REFUSED = 429

const requests = counter('backdesk_key_requests_total', 'Requests, by account and API key.', LABELS)
const seconds = counter(
  'backdesk_key_request_seconds_total',
  'Total duration of requests, by account and API key.',
  LABELS,
)
const refused = counter('backdesk_key_rate_limited_total', 'Requests refused with 429, by account and API key.', LABELS)

type Counted = ReturnType<typeof countedOf>
const countedOf = (labels: readonly string[]) => ({
  requests: requests.of(labels),
  seconds: seconds.of(labels),
  refused: refused.of(labels),
})

/** The caller, for a log line. */
export const askedBy = (principal: Principal | null): { account?: number; key?: string; session?: string } =>
  principal ? { account: principal.actor.account, [principal.kind]: principal.id } : {}

/** Counts the requests of keys in this process. The sessions of an account are counted together. */
export function keyTraffic(mostKeys = MOST_KEYS): (by: Principal, status: number | string, seconds: number) => void {
  const known = new Map<string, Counted>()
  const meet = (account: string, id: string): Counted => {
    const counted = countedOf(known.size < mostKeys ? [account, id] : OTHERS)
    if (known.size < mostKeys) known.set(account + id, counted)
    return counted
  }
  return ({ kind, id, actor }, status, took) => {
    const account = String(actor.account)
    const label = kind === 'key' ? id : SESSIONS
    const counted = known.get(account + label) ?? meet(account, label)
    counted.requests.value++
    counted.seconds.value += took
    if (status === REFUSED) counted.refused.value++
  }
}
