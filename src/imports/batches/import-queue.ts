import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseFull, isDatabaseUnavailable } from '../../platform/db/failures.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { BACKGROUND, type Operator } from '../../platform/operator.ts'
import type { Importable } from '../importable.ts'
import { type BatchWork, failBatch, importChunk } from './import-chunk.ts'
import { IMPORT_QUEUE } from './keep-batch.ts'

/** Batches that one process imports at once, each of another account. */
const AT_ONCE = 2
/** A chunk takes well under that. */
const LEASE_MS = 60_000
/** Attempts at one chunk that end in an error. */
const FAILURES = 5
/** Attempts at one chunk at all: a process that dies may do so because of its other work. */
const ATTEMPTS = 25
/** 2, 8, 32 and 128 seconds after the failures. */
const BACKOFF_MS = 2_000
const BACKOFF_FACTOR = 4
const AWAY_MS = 1_000

type Found = RowFrom<typeof claimNext>

/**
 * The oldest unfinished batch of an account, where nobody works on it. Any account may be next, so that no long queue
 * holds up the others.
 */
const claimNext = statement(
  { lease: pg.uuid, ms: pg.float },
  {
    account: pg.integer,
    id: pg.uuid,
    attempts: pg.integer,
    failures: pg.integer,
    operator: pg.nullable(pg.json<Operator>()),
  },
  `
  with head as (
    select distinct on (account_id) account_id, id from import_batches where finished_at is null
    order by account_id, created_at, id
  ),
  due as (
    select b.account_id, b.id from head join import_batches b on b.account_id = head.account_id and b.id = head.id
    where b.finished_at is null and b.next_attempt_at <= now() and ${notMovedSql('b.account_id')}
    order by random() limit 1 for update of b skip locked
  )
  update import_batches b set status = 'running', started_at = coalesce(b.started_at, now()), attempts = b.attempts + 1,
    leased_by = $lease, next_attempt_at = now() + $ms * interval '1 millisecond'
  from due where b.account_id = due.account_id and b.id = due.id
  returning b.account_id as account, b.id, b.attempts, b.failures, b.operator`,
)
/** What was not begun is no attempt. */
const release = statement(
  { id: pg.uuid, lease: pg.uuid, account: pg.integer },
  {},
  `
  update import_batches set leased_by = null, attempts = attempts - 1, next_attempt_at = now()
  where account_id = $account and id = $id and leased_by = $lease`,
)
const postpone = statement(
  { id: pg.uuid, lease: pg.uuid, account: pg.integer, ms: pg.float },
  {},
  `
  update import_batches set leased_by = null, failures = failures + 1, next_attempt_at = now() + $ms * interval '1 millisecond'
  where account_id = $account and id = $id and leased_by = $lease`,
)

type Surroundings = Pick<BatchWork, 'onEnd'> & {
  readonly db: Database
  readonly log: Pick<Log, 'error'>
  readonly importables: readonly Importable[]
}
/** Milliseconds; tests wait less. */
type Times = { readonly leaseMs?: number; readonly backoffMs?: number; readonly awayMs?: number }

/** The batches that wait to be imported, of all accounts. Those of one account are done one after the other. */
export function importQueue(
  { db, log, importables, onEnd }: Surroundings,
  { leaseMs = LEASE_MS, backoffMs = BACKOFF_MS, awayMs = AWAY_MS }: Times = {},
): Queue {
  const chunkWork: BatchWork = {
    importables: new Map(importables.map((importable) => [importable.entity.key, importable])),
    leaseMs,
    onEnd,
  }

  async function work({ account, id, operator, ...tried }: Found, lease: string, stopping: AbortSignal): Promise<void> {
    const held = { account, id, lease }
    let { failures } = tried
    let hopeless = tried.attempts > ATTEMPTS
    while (!hopeless) {
      if (stopping.aborted) return void (await db.askSystem('give back the batch of an account', release, held))
      try {
        const progress = await db.inAccount(account, (tx) => importChunk(tx, held, chunkWork), operator ?? BACKGROUND)
        if (progress !== 'more') return
        failures = 0
      } catch (error) {
        if (isDatabaseUnavailable(error) || isDatabaseFull(error)) {
          await sleep(awayMs) // and the attempt goes on
          continue
        }
        failures += 1
        log.error({ err: error, account, batch: id, failures }, 'import chunk failed')
        const ms = backoffMs * BACKOFF_FACTOR ** (failures - 1)
        if (failures < FAILURES)
          return void (await db.askSystem('postpone the batch of an account', postpone, { ...held, ms }))
        hopeless = true
      }
    }
    await db.inAccount(account, (tx) => failBatch(tx, held, chunkWork))
  }

  return {
    name: IMPORT_QUEUE,
    due: `select next_attempt_at as due_at from import_batches
      where finished_at is null and next_attempt_at <= now() and ${notMovedSql('account_id')}`,
    atOnce: AT_ONCE,
    async claim() {
      const lease = randomUUID()
      const [found] = await db.askSystem('claim the next batch of any account', claimNext, { lease, ms: leaseMs })
      return found ? (stopping) => work(found, lease, stopping) : null
    },
  }
}
