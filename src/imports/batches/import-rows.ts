import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { RouteAnswer } from '../../platform/http/route.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { type RowBatch, runBatch } from '../engine/run.ts'
import type { Importable } from '../importable.ts'
import { batchStatusOf, batchText, outcomesText } from './batch-shape.ts'
import { keepDone, keepQueued } from './keep-batch.ts'

/** Imports rows synchronously; a dry run stores nothing. */
export async function importNow(tx: AccountTx, importable: Importable, batch: RowBatch, dryRun: boolean) {
  const { key } = importable.entity
  const run = () => runBatch(tx, importable, batch)
  const ran = await (dryRun ? tx.discard(run) : run())
  const rows = outcomesText(ran, 0, dryRun)
  const id = dryRun ? null : randomUUIDv7()
  if (id !== null) keepDone(tx, id, key, batch, ran, rows)
  const { now } = batch.desk.context
  const shown = {
    id,
    entity: key,
    mode: 'sync',
    status: batchStatusOf(ran.counts),
    counts: ran.counts,
    processed: ran.counts.total,
    ignored: ran.ignored,
    createdAt: now,
    startedAt: now,
    finishedAt: Temporal.Now.instant().toString({ smallestUnit: 'microsecond' }),
  } as const
  return jsonObject({ data: batchText(batch, shown, rows) })
}

/** Accepts rows that are imported after the response. `principal` is the seat that is notified at the end. */
export function importLater(tx: AccountTx, entity: string, batch: RowBatch, principal: string): RouteAnswer {
  const id = randomUUIDv7()
  const shown = {
    id,
    entity,
    mode: 'async',
    status: 'queued',
    counts: keepQueued(tx, id, entity, batch, principal),
    processed: 0,
    ignored: [],
    createdAt: batch.desk.context.now,
    startedAt: null,
    finishedAt: null,
  } as const
  return { status: 202, location: `/api/v1/imports/${id}`, body: jsonObject({ data: batchText(batch, shown) }) }
}
