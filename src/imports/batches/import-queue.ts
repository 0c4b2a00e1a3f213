import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { isDatabaseFull, isDatabaseUnavailable } from '../../platform/db/failures.ts'
import type { RowFrom } from '../../platform/db/statement.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { BACKGROUND } from '../../platform/operator.ts'
import type { Importable } from '../importable.ts'
import { type BatchWork, failBatch, importChunk } from './import-chunk.ts'
import { dueBatches, postponeBatch, releaseBatch } from './import-queue.store.ts'
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

type Found = RowFrom<typeof dueBatches.claim>

type QueueContext = Pick<BatchWork, 'onEnd'> & {
  readonly db: Database
  readonly log: Pick<Log, 'error'>
  readonly importables: readonly Importable[]
}
/** Milliseconds; tests wait less. */
type Times = { readonly leaseMs?: number; readonly backoffMs?: number; readonly awayMs?: number }

/** The batches that wait to be imported, of all accounts. Those of one account are done one after the other. */
export function importQueue(
  { db, log, importables, onEnd }: QueueContext,
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
      if (stopping.aborted) return void (await db.askSystem('release the batch of an account', releaseBatch, held))
      try {
        const progress = await db.inAccount(account, (tx) => importChunk(tx, held, chunkWork), operator ?? BACKGROUND)
        if (progress !== 'more') return
        failures = 0
      } catch (error) {
        if (isDatabaseUnavailable(error) || isDatabaseFull(error)) {
          await sleep(awayMs) // and the attempt continues
          continue
        }
        failures += 1
        log.error({ err: error, account, batch: id, failures }, 'import chunk failed')
        const ms = backoffMs * BACKOFF_FACTOR ** (failures - 1)
        if (failures < FAILURES)
          return void (await db.askSystem('postpone the batch of an account', postponeBatch, { ...held, ms }))
        hopeless = true
      }
    }
    await db.inAccount(account, (tx) => failBatch(tx, held, chunkWork))
  }

  return leasedQueue(
    { db },
    {
      name: IMPORT_QUEUE,
      rows: dueBatches,
      leaseMs,
      given: {},
      atOnce: AT_ONCE,
      work: ([found], lease, stopping) => work(found, lease, stopping),
    },
  )
}
