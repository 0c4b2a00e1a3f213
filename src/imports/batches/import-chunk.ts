import { ALL_POLICIES, policySet } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { RowFrom } from '../../platform/db/statement.ts'
import { externalIdOf, OUTCOME_STATUSES, SHOWN_NAMES } from '../engine/read-rows.ts'
import { noCounts, type OutcomeCounts, runBatch } from '../engine/run.ts'
import type { Importable } from '../importable.ts'
import { type BatchStatus, batchStatusOf, outcomesText } from './batch-shape.ts'
import { countBatch, countRows } from './count-imports.ts'
import { chunksLeft, finishBatch, lockLeasedBatch, nextChunk, saveChunks } from './import-chunk.store.ts'

/** A leased batch. Each claim makes a new lease, which shows whether the batch is still held. */
export type BatchClaim = { readonly id: string; readonly lease: string }
/** A batch that has ended, and how. */
export type EndedBatch = {
  readonly id: string
  /** The entity, as people call it. */
  readonly label: string
  /** The seat that sent it. */
  readonly principal: string
  readonly status: BatchStatus
  readonly counts: OutcomeCounts
}
/** What importing batches depends on. */
export type BatchWork = {
  readonly importables: ReadonlyMap<string, Importable>
  readonly leaseMs: number
  /** Runs in the transaction that ends a batch. */
  onEnd(tx: AccountTx, batch: EndedBatch): void
}
type Ending = Pick<BatchWork, 'onEnd'>
/** `lost`: another worker has taken over, and this worker's result is discarded. */
export type ChunkResult = 'more' | 'finished' | 'lost'
type LeasedBatch = RowFrom<typeof lockLeasedBatch>

/** Imports the next rows of a batch that is held, and renews the lease. The last ones finish the batch. */
export async function importChunk(tx: AccountTx, claim: BatchClaim, work: BatchWork): Promise<ChunkResult> {
  const [held, chunk, now] = await Promise.all([tx.one(lockLeasedBatch, claim), tx.one(nextChunk, claim), tx.now])
  if (!held) return 'lost'
  const importable = work.importables.get(held.entity)
  if (!importable) return giveUp(tx, claim, held, work, `The entity ${held.entity} no longer exists.`)
  if (!chunk) return giveUp(tx, claim, held, work, BROKE)
  const { source, company, branch } = held
  const { named, read, context } = held.options
  // Former versions did not store the policies: a seat that could import could change every importable field.
  const policies = held.options.policies ? policySet(held.options.policies) : ALL_POLICIES
  const ran = await runBatch(tx, importable, {
    rows: chunk.rows,
    source,
    desk: { company, branch, read, context: { ...context, timeZone: read.timeZone, now, policies } },
    named,
    onConflict: held.conflict,
  })
  const counts = sum(held.counts, ran.counts)
  const processed = held.processed + ran.counts.total
  countRows(tx, held.entity, ran.counts)
  tx.later(saveChunks, {
    id: claim.id,
    chunks: `[{"nth":${chunk.nth},"outcomes":${outcomesText(ran, chunk.first_index, false)}}]`,
    counts: JSON.stringify(counts),
    processed,
    ignored: [...new Set([...held.ignored, ...ran.ignored])].sort().slice(0, SHOWN_NAMES),
    ms: work.leaseMs,
  })
  if (processed < counts.total) return 'more'
  end(tx, claim, { ...held, label: importable.entity.label, counts, status: batchStatusOf(counts), error: null }, work)
  return 'finished'
}

const BROKE = 'An internal error occurred. The remaining rows are reported as failed. Send them again.'
const STOPPED = { field: 'base', code: 'conflict', message: 'The batch stopped before this row. Send the row again.' }

/** Ends a batch that cannot continue: the remaining rows have failed, and may be sent again. */
export async function failBatch(tx: AccountTx, claim: BatchClaim, work: Ending): Promise<void> {
  const held = await tx.one(lockLeasedBatch, claim)
  if (held) await giveUp(tx, claim, held, work, BROKE)
}

async function giveUp(
  tx: AccountTx,
  claim: BatchClaim,
  held: LeasedBatch,
  work: Ending,
  error: string,
): Promise<ChunkResult> {
  const chunks = await tx.all(chunksLeft, claim)
  const failed = held.counts.failed + held.counts.total - held.processed
  const counts = { ...held.counts, failed }
  countRows(tx, held.entity, { ...noCounts(0), failed: failed - held.counts.failed })
  tx.later(saveChunks, {
    id: claim.id,
    chunks: JSON.stringify(
      chunks.map(({ nth, first_index, rows }) => ({
        nth,
        outcomes: rows.map((row, at) => stoppedAt(first_index + at, row)),
      })),
    ),
    counts: JSON.stringify(counts),
    processed: counts.total,
    ignored: held.ignored,
    ms: 0,
  })
  end(tx, claim, { ...held, label: held.entity, counts, status: 'failed', error }, work)
  return 'finished'
}

const EXTERNAL_ID = /^\P{Cc}{1,200}$/u
function stoppedAt(index: number, row: Record<string, unknown>) {
  const given = externalIdOf(row)
  const external_id = given?.isWellFormed() && EXTERNAL_ID.test(given) ? given : null
  return {
    index,
    external_id,
    status: 'failed',
    id: null,
    record_status: null,
    reason: null,
    errors: [STOPPED],
    warnings: [],
  }
}

function sum(all: OutcomeCounts, more: OutcomeCounts): OutcomeCounts {
  const counts = { ...all }
  for (const name of OUTCOME_STATUSES) counts[name] += more[name]
  return counts
}

type Ended = Omit<EndedBatch, 'id'> & Pick<LeasedBatch, 'entity'> & { readonly error: string | null }

function end(
  tx: AccountTx,
  { id }: BatchClaim,
  { entity, label, principal, counts, status, error }: Ended,
  work: Ending,
): void {
  tx.later(finishBatch, { id, status, error })
  countBatch(tx, entity, 'async', status)
  work.onEnd(tx, { id, label, principal, counts, status })
}
