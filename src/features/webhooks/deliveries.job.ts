import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import { counter } from '../../platform/metrics/instruments.ts'
import type { DestinationRules } from '../../platform/net/destination.ts'
import { excerptOf } from '../../platform/net/excerpt.ts'
import { post, type Timeouts } from '../../platform/net/post.ts'
import type { Seal } from '../../platform/seal.ts'
import { deactivateWebhook } from './commands/deactivate-webhook.ts'
import {
  DELIVERY_ATTEMPTS,
  type Delivery,
  leasedWebhooks,
  recordAttempts,
  releaseWebhook,
  takeDeliveries,
} from './delivery-queue.store.ts'
import { signatureHeader } from './signature.ts'
import { WEBHOOK_QUEUE } from './webhook-queue.ts'

/** Subscriptions that one process delivers to at once. */
const AT_ONCE = 64
/** Deliveries in flight to one of them. */
const IN_FLIGHT = 4
/** After that long the next in line has a turn. */
const TURN_MS = 20_000
/** Longer than a turn and the last attempts of it. */
const LEASE_MS = 60_000
/** Longer than an attempt may take, so that no second attempt starts in the meantime. */
const ATTEMPT_LEASE_MS = 40_000
/** After this time a subscription is checked again, even if attempts are still in flight. */
const LOOK_AGAIN_MS = 500
/** For attempts in flight when the cell stops. The others are sent again when their lease expires. */
const LAST_MS = 1_000
/** Length of a receiver's error text. */
const ERROR_MAXIMUM_BYTES = 2_000
/** Share of the delay, in both directions. */
const JITTER = 0.2
/** A receiver may ask for up to this multiple of the delay. */
const PATIENCE = 2
const AGENT = 'Backdesk-Webhooks/1'
const ASKS_TO_WAIT: readonly number[] = [429, 503]

const attemptsMade = counter(
  'backdesk_webhook_attempts_total',
  'Attempts to deliver an event, by outcome: succeeded, failed (to be retried), or given up.',
  ['outcome'],
)
/** What an attempt is counted as. */
const COUNTED = { succeeded: 'succeeded', pending: 'failed', failed: 'given_up' } as const

type Surrounding = {
  readonly db: Database
  readonly signingKeys: Seal
  readonly destinations: DestinationRules & { readonly timeouts?: Timeouts }
  readonly config: { readonly webhookRetrySchedule: readonly number[] }
  now(): number
}
/** The stored outcome of an attempt. */
type Result = {
  readonly id: string
  readonly number: number
  readonly at: string
  readonly status_code: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly response_excerpt: string | null
  readonly outcome: 'succeeded' | 'pending' | 'failed'
  readonly retry_ms: number
}

/** A key; null where it was sealed with another secret of the cell. */
function opened(sealed: Buffer, signingKeys: Seal): string | null {
  try {
    return signingKeys.open(sealed)
  } catch {
    return null
  }
}

/** They sign, the newest first; null without the newest. */
function keysOf({ signing_key, former_key }: Delivery, signingKeys: Seal): string[] | null {
  const key = opened(signing_key, signingKeys)
  const former = former_key && opened(former_key, signingKeys)
  return key === null ? null : former === null ? [key] : [key, former]
}

/** Deliveries without a signature are not sent. */
const UNSIGNED = {
  error: 'unsigned',
  message: 'the signing key was sealed with another secret of the cell; restore that secret, or rotate the key',
  durationMs: 0,
} as const

/**
 * The deliveries of all accounts. A job is a subscription: its lease holder is the only one that delivers to it, four
 * at a time, so a slow receiver does not delay the others. An attempt is counted before it is sent; if the process
 * dies, its lease expires, and the next attempt has a new number.
 */
export function deliveryQueue(
  { db, signingKeys, destinations, config, now }: Surrounding,
  { leaseMs = LEASE_MS, attemptLeaseMs = ATTEMPT_LEASE_MS }: { leaseMs?: number; attemptLeaseMs?: number } = {},
): Queue {
  /** The result of a failure. A receiver may ask for a delay in seconds. */
  function afterFailure(number: number, asked = 0): Pick<Result, 'outcome' | 'retry_ms'> {
    const seconds = config.webhookRetrySchedule[number - 1]
    if (seconds === undefined || number >= DELIVERY_ATTEMPTS) return { outcome: 'failed', retry_ms: 0 }
    const delay = seconds * (1 - JITTER + 2 * JITTER * Math.random())
    return {
      outcome: 'pending',
      retry_ms: Math.round(1000 * Math.min(Math.max(delay, asked), PATIENCE * seconds)),
    }
  }

  function send({ id, event, attempts, payload, url }: Delivery, keys: readonly string[], at: number) {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': AGENT,
      'x-service-event': event,
      'x-service-delivery': id,
      'x-service-attempt': String(attempts),
      'x-service-signature': signatureHeader(payload, keys, Math.floor(at / 1000)),
    }
    return post({ url, headers, body: payload }, destinations)
  }

  /** Never throws. */
  async function attempt(delivery: Delivery): Promise<Result> {
    const { id, attempts: number } = delivery
    const at = now()
    const keys = keysOf(delivery, signingKeys)
    const answer = keys === null ? UNSIGNED : await send(delivery, keys, at)
    const kept = { id, number, at: new Date(at).toISOString(), duration_ms: answer.durationMs }
    if ('error' in answer)
      return {
        ...kept,
        status_code: null,
        error: excerptOf(Buffer.from(`${answer.error}: ${answer.message}`), ERROR_MAXIMUM_BYTES),
        response_excerpt: null,
        ...afterFailure(number),
      }
    const { statusCode, excerpt, retryAfterSeconds } = answer
    const result = { ...kept, status_code: statusCode, error: null, response_excerpt: excerpt }
    if (statusCode >= 200 && statusCode < 300) return { ...result, outcome: 'succeeded', retry_ms: 0 }
    return { ...result, ...afterFailure(number, ASKS_TO_WAIT.includes(statusCode) ? retryAfterSeconds : 0) }
  }

  async function work(account: number, id: string, lease: string, stopping: AbortSignal): Promise<void> {
    const held = { account, webhook: id, lease }
    const until = performance.now() + TURN_MS
    const inFlight = new Set<Promise<void>>()
    const results: Result[] = []
    let end = Number.POSITIVE_INFINITY
    for (;;) {
      if (stopping.aborted) end = Math.min(end, performance.now() + LAST_MS)
      const ended = results.splice(0)
      const room = stopping.aborted || performance.now() >= until ? 0 : IN_FLIGHT - inFlight.size
      const { hopeless, taken } = await db.asSystem('record attempts, and claim the next deliveries', async (tx) => {
        const [noted, taken] = await Promise.all([
          ended.length > 0 ? tx.one(recordAttempts, { ...held, results: JSON.stringify(ended) }) : undefined,
          room > 0 ? tx.all(takeDeliveries, { ...held, most: room, ms: attemptLeaseMs }) : [],
        ])
        return { hopeless: noted?.hopeless, taken }
      })
      if (taken.length > 0) await db.loadKeys(account)
      for (const { outcome } of ended) attemptsMade.add([COUNTED[outcome]])
      if (hopeless) await db.inAccount(account, (tx) => deactivateWebhook(tx, id))
      for (const delivery of taken) {
        const payload = db.opened(account, delivery.payload)
        const run = attempt({ ...delivery, payload }).then((result) => {
          results.push(result)
          inFlight.delete(run)
        })
        inFlight.add(run)
      }
      if (results.length > 0) continue
      if (inFlight.size === 0 || performance.now() >= end) break
      await Promise.race([...inFlight, setTimeout(LOOK_AGAIN_MS, undefined, { ref: false })])
    }
    await db.askSystem('release the lease of a subscription', releaseWebhook, { account, id, lease })
  }

  return leasedQueue(
    { db },
    {
      name: WEBHOOK_QUEUE,
      rows: leasedWebhooks,
      due: `select d.next_attempt_at as due_at
      from webhook_deliveries d join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
      where d.status = 'pending' and d.next_attempt_at <= now() and w.active and w.deleted_at is null and ${notMovedSql('d.account_id')}`,
      leaseMs,
      given: {},
      atOnce: AT_ONCE,
      work: ([{ account, id }], lease, stopping) => work(account, id, lease, stopping),
    },
  )
}
