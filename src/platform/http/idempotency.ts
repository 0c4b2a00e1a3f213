import { hash } from 'node:crypto'
import type { Policies } from '../access/policies.ts'
import type { AccountTx } from '../db/account-tx.ts'
import type { Database } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import { statement } from '../db/statement.ts'
import { every, type ScheduledJob } from '../jobs/schedule.ts'
import { type JsonText, jsonText } from '../json-text.ts'
import type { Seal } from '../seal.ts'
import { ApiError } from './errors.ts'
import type { RouteAnswer } from './route.ts'

export const KEY_MAXIMUM = 255
const KEPT = '7 days'
const RETRY_AFTER_S = 1
type OnceAnswer = RouteAnswer & { readonly status: number; readonly replayed: boolean }

/**
 * The fingerprint of a request: method, path with its sorted query, and the body independent of key order. It covers
 * the role's policies, so that a replay cannot show one role the response of another, and the seat of a session.
 */
export function fingerprint(
  policies: Policies,
  method: string,
  url: string,
  body: unknown,
  seat: string | null = null,
): Buffer {
  const path = url.replace(/\?.*/s, '')
  const sorted = new URLSearchParams(url.slice(path.length + 1))
  sorted.sort()
  return hash(
    'sha256',
    JSON.stringify([
      method,
      path,
      sorted.toString(),
      [...policies],
      canonical(body) ?? null,
      ...(seat === null ? [] : [seat]),
    ]),
    'buffer',
  )
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return { list: value.map(canonical) }
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return keys.map((key) => [key, canonical((value as Record<string, unknown>)[key])])
}

// Two statements: the second one's snapshot must be younger than the lock, or it misses a row committed meanwhile.
const lock = statement(
  { account: pg.integer, key: pg.text },
  { mine: pg.boolean },
  'select pg_try_advisory_xact_lock($account::integer, hashtext($key)) as mine',
)
const recall = statement(
  { account: pg.integer, key: pg.text },
  {
    fingerprint: pg.bytes,
    status: pg.integer,
    location: pg.nullable(pg.text),
    body: pg.bytes,
    version: pg.nullable(pg.integer),
  },
  `select fingerprint, status, location, body, version from idempotency_keys where account_id = $account and key = $key and created_at > now() - interval '${KEPT}'`,
)
const remember = statement(
  {
    status: pg.integer,
    location: pg.nullable(pg.text),
    body: pg.bytes,
    account: pg.integer,
    key: pg.text,
    print: pg.bytes,
    version: pg.nullable(pg.integer),
  },
  {},
  `
  insert into idempotency_keys (account_id, key, fingerprint, status, location, body, version)
  values ($account, $key, $print, $status, $location, $body, $version)
  on conflict (account_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    location = excluded.location, body = excluded.body, version = excluded.version, created_at = now()`,
)
const purge = statement({}, {}, `delete from idempotency_keys where created_at <= now() - interval '${KEPT}'`)

type StoredAs = {
  readonly seal: Seal
  /** The default one. */
  readonly status: number
  /** Attributes of `data` that are secret, and left out of what is stored. */
  readonly shownOnce?: readonly string[]
}

/** Runs `write` unless its response is stored; stores a success in the transaction of the write. */
export async function once(
  tx: AccountTx,
  key: string,
  print: Buffer,
  { seal, status, shownOnce = [] }: StoredAs,
  write: (tx: AccountTx) => Promise<JsonText | RouteAnswer>,
): Promise<OnceAnswer> {
  const [locked, known] = await Promise.all([tx.one(lock, { key }), tx.one(recall, { key })])
  if (!locked?.mine) {
    throw new ApiError(
      'idempotency_conflict',
      'The first request with this Idempotency-Key is still running. Try again in a second.',
      {
        retryAfter: RETRY_AFTER_S,
      },
    )
  }
  if (known && !known.fingerprint.equals(print)) {
    throw new ApiError(
      'idempotency_key_reuse',
      'This Idempotency-Key was used for another request. Use a new key for each write.',
    )
  }
  if (known) {
    const { status, location, version, body } = known
    const head = { status, ...(location !== null && { location }), ...(version !== null && { version }) }
    return { replayed: true, ...head, body: unseal(body, seal) }
  }
  const written = await write(withoutLast(tx))
  const answer = { status, ...(typeof written === 'string' ? { body: written } : written) }
  if (answer.status < 300) {
    const { status, location = null, version = null, body } = answer
    const sealed = seal.seal(withoutSecrets(body, shownOnce))
    tx.later(remember, { key, print, status, location, version, body: sealed })
  }
  return { replayed: false, ...answer }
}

function withoutSecrets(body: RouteAnswer['body'], names: readonly string[]): RouteAnswer['body'] {
  if (names.length === 0) return body
  const whole = JSON.parse(String(body)) as { data: object }
  const hidden = Object.fromEntries(names.map((name) => [name, null]))
  return jsonText({ ...whole, data: { ...whole.data, ...hidden } })
}

/** The transaction for a write that other statements follow: its `last` does not commit. */
export const withoutLast = (tx: AccountTx): AccountTx => Object.create(tx, { last: { value: tx.one } })

/** The sealed value was an answer. */
function unseal(body: Buffer, seal: Seal): JsonText {
  try {
    return seal.open(body) as JsonText
  } catch {
    throw new ApiError(
      'idempotency_key_reuse',
      'The stored response for this Idempotency-Key cannot be read, because the secret of the cell has changed. The first request took effect. Use a new key for a new write.',
    )
  }
}

/** Forgets the keys that are past their time. */
export const idempotencyPurge: ScheduledJob<{ db: Database }> = {
  name: 'idempotency keys',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge idempotency keys of all accounts', purge, {}),
}
