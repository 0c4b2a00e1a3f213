import type { EndedBatch } from '../../../imports/batches/import-chunk.ts'
import { OUTCOME_STATUSES } from '../../../imports/engine/read-rows.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { notify } from './notify.ts'

/** Notifies the seat that sent a batch of its result. */
export function notifyOfImport(tx: AccountTx, { id, label, principal, status, counts }: EndedBatch): void {
  const outcomes = OUTCOME_STATUSES.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : []))
  notify(tx, {
    seat: principal,
    kind: 'import_finished',
    title: `Import of ${counts.total} ${label.toLowerCase()} ${status === 'failed' ? 'failed' : 'finished'}`,
    body: `${outcomes.join(', ')}.`,
    priority: status === 'failed' ? 'high' : 'normal',
    subjectType: 'ImportBatch',
    subjectId: id,
    subjectLabel: label,
  })
}
