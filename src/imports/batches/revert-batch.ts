import type { Policies } from '../../platform/access/policies.ts'
import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { Importable } from '../importable.ts'
import { unknownEntity } from '../route-parts.ts'
import { asksRestricted } from '../visible.ts'
import { type CreatedRecord, guardedRevertsOfEntity, lockBatchToRevert, revertsOfEntity } from './revert-batch.store.ts'

/** A record that the batch made and that stays, and why. */
export type UnrevertedRecord = CreatedRecord & { reason: string }

/**
 * Deletes the records that a batch created and that were not changed since, except those that other records need, and
 * those of customers whom a restricted tag hides from the caller.
 */
export async function revertBatch(
  tx: AccountTx,
  policies: Policies,
  id: string,
  importables: ReadonlyMap<string, Importable>,
): Promise<{ reverted: number; left: UnrevertedRecord[] } | null> {
  const batch = await tx.one(lockBatchToRevert, { id })
  if (!batch) return null
  if (!batch.finished) {
    throw new ApiError('validation_failed', 'The batch is still running. Revert it when it has finished.', {
      details: { status: ['Must be a final status.'] },
    })
  }
  const importable = importables.get(batch.entity)
  if (!importable) throw unknownEntity(batch.entity)
  const { entity, revert } = importable
  const { made, remove } = (asksRestricted(entity, policies) ? guardedRevertsOfEntity : revertsOfEntity)(entity)
  takeChangeNumber(tx)
  const all = await tx.all(made, { id })
  const untouched = all.flatMap(({ id, reason }) => (reason === null ? [id] : []))
  const kept = revert && untouched.length > 0 ? await tx.all(revert.stays, { ids: untouched }) : []
  const reasons = new Map(kept.map(({ id, reason }) => [id, reason]))
  const deleted = untouched.filter((id) => !reasons.has(id))
  if (deleted.length > 0) {
    tx.later(remove, { ids: deleted })
    await revert?.afterDelete?.(tx, deleted)
  }
  const left = all.flatMap((record) => {
    const reason = record.reason ?? reasons.get(record.id)
    return reason === undefined ? [] : [{ ...record, reason }]
  })
  auditOwn(tx, {
    action: 'import.reverted',
    subjectType: 'import_batch',
    subjectId: id,
    details: { entity: batch.entity, reverted: deleted.length, left: left.length },
  })
  return { reverted: deleted.length, left }
}
