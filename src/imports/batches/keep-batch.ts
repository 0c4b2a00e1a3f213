import type { Policy } from '../../platform/access/policies.ts'
import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Desk } from '../desk.ts'
import { type BatchRun, noCounts, type OutcomeCounts, type RowBatch } from '../engine/run.ts'
import { batchStatusOf } from './batch-shape.ts'
import { countBatch, countRows } from './count-imports.ts'
import { insertDoneBatch, insertQueuedBatch } from './keep-batch.store.ts'

/** Rows that one transaction imports; `processed` moves by as many. */
const CHUNK_ROWS = 100
/** The queue of asynchronous batches. */
export const IMPORT_QUEUE = 'imports'

const common = (id: string, entity: string, { source, desk, onConflict }: RowBatch, counts: OutcomeCounts) => ({
  id,
  entity,
  source,
  company: desk.company,
  branch: desk.branch,
  conflict: onConflict,
  counts: JSON.stringify(counts),
})

const batchSubject = (id: string) => ({ subjectType: 'import_batch', subjectId: id })

/** Keeps a batch that was answered at once, with its outcomes as they were answered. */
export function keepDone(
  tx: AccountTx,
  id: string,
  entity: string,
  batch: RowBatch,
  ran: BatchRun,
  outcomes: string,
): void {
  const { counts, ignored } = ran
  tx.later(insertDoneBatch, {
    ...common(id, entity, batch, counts),
    status: batchStatusOf(counts),
    ignored: [...ignored],
    processed: counts.total,
    outcomes,
  })
  auditOwn(tx, { action: 'import.run', ...batchSubject(id), details: { entity, source: batch.source, counts } })
  countRows(tx, entity, counts)
  countBatch(tx, entity, 'sync', batchStatusOf(counts))
}

/** The definition by which a batch's rows are read, as of its acceptance, and the policies of its sender. */
export type Options = Pick<RowBatch, 'named'> &
  Pick<Desk, 'read'> & {
    readonly context: Pick<Desk['context'], 'currency' | 'today'>
    /** Absent where a process of a former version accepted it. */
    readonly policies?: readonly Policy[]
  }

/** Accepts a batch for asynchronous import. Returns its counts. */
export function keepQueued(
  tx: AccountTx,
  id: string,
  entity: string,
  batch: RowBatch,
  principal: string,
): OutcomeCounts {
  const counts = noCounts(batch.rows.length)
  const { read, context } = batch.desk
  const options: Options = {
    named: batch.named,
    read,
    context: { currency: context.currency, today: context.today },
    policies: [...context.policies],
  }
  tx.later(insertQueuedBatch, {
    ...common(id, entity, batch, counts),
    options: JSON.stringify(options),
    principal,
    size: CHUNK_ROWS,
    chunks: chunksText(batch.rows),
  })
  const details = { entity, source: batch.source, rows: batch.rows.length }
  auditOwn(tx, { action: 'import.queued', ...batchSubject(id), details })
  tx.wake(IMPORT_QUEUE)
  return counts
}

function chunksText(rows: RowBatch['rows']): string {
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, nth) =>
    rows.slice(nth * CHUNK_ROWS, (nth + 1) * CHUNK_ROWS),
  )
  return JSON.stringify(chunks, (_, value: unknown) =>
    value === Infinity || value === -Infinity ? huge(value) : value,
  )
}

/** A number too large was parsed as Infinity, which JSON would write as null. */
const huge = (value: number): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(value > 0 ? '1e999' : '-1e999')
