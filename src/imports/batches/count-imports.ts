import type { AccountTx } from '../../platform/db/account-tx.ts'
import { counter } from '../../platform/metrics/instruments.ts'
import { OUTCOME_STATUSES } from '../engine/read-rows.ts'
import type { OutcomeCounts } from '../engine/run.ts'
import type { BatchStatus } from './batch-shape.ts'

const rows = counter('backdesk_import_rows_total', 'Rows imported, without dry runs and replays.', [
  'entity',
  'outcome',
])
const batches = counter('backdesk_import_batches_total', 'Batches finished.', ['entity', 'mode', 'status'])

/** Counts rows once their outcomes are committed. */
export function countRows(
  tx: AccountTx,
  entity: string,
  counts: Pick<OutcomeCounts, (typeof OUTCOME_STATUSES)[number]>,
): void {
  tx.afterCommit(() => {
    for (const outcome of OUTCOME_STATUSES) if (counts[outcome] > 0) rows.add([entity, outcome], counts[outcome])
  })
}

/** Counts a batch once its end is committed. */
export function countBatch(tx: AccountTx, entity: string, mode: 'sync' | 'async', status: BatchStatus): void {
  tx.afterCommit(() => batches.add([entity, mode, status]))
}
