import { identityTable } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { onceFor } from '../../platform/once-for.ts'
import type { Importable } from '../importable.ts'
import { unknownEntity } from '../route-parts.ts'
import { asksRestricted } from '../visible.ts'

const MADE = { index: pg.integer, external_id: pg.nullable(pg.text), id: pg.uuid, reason: pg.nullable(pg.text) }
type Made = pg.RowOf<typeof MADE>
/** A record that the batch made and that stays, and why. */
export type UnrevertedRecord = Made & { reason: string }

const lockBatch = statement(
  { account: pg.integer, id: pg.uuid },
  { entity: pg.text, finished: pg.boolean },
  'select entity, finished_at is not null as finished from import_batches where account_id = $account and id = $id for update',
)

export const revertsOf = (guarded: boolean) => (entity: Entity) => {
  const table = identityTable(entity)
  const hidden = guarded ? `when ${entity.restricted} then 'not_permitted'` : ''
  return {
    // A record whose last change has a number of the batch itself was touched by nobody since. Reading JSON may leak, so
    // behind the wall no index would be looked up by it: the ids are read first.
    made: statement(
      { account: pg.integer, id: pg.uuid },
      MADE,
      `
      with created as materialized (
        select (c.first_index + o.at - 1)::integer as index, o.outcome ->> 'external_id' as external_id, (o.outcome ->> 'id')::uuid as id
        from import_chunks c cross join lateral json_array_elements(c.outcomes) with ordinality as o(outcome, at)
        where c.account_id = $account and c.batch_id = $id and o.outcome ->> 'status' = 'created'
      )
      select m.index, m.external_id, m.id, case when t.id is null or t.deleted_at is not null then 'deleted' ${hidden}
          when not exists (select from import_chunks n where n.account_id = $account and n.batch_id = $id and n.changed = t.changed) then 'changed'
        end as reason
      from created m left join ${table} t on t.account_id = $account and t.id = m.id order by m.index`,
    ),
    remove: statement(
      { account: pg.integer, ids: pg.list(pg.uuid) },
      {},
      `
      update ${table} t set deleted_at = now() from unnest($ids::uuid[]) as key(id)
      where t.account_id = $account::integer and t.id = key.id`,
    ),
  }
}
const statements = onceFor(revertsOf(false))
const guardedStatements = onceFor(revertsOf(true))

/**
 * Deletes the records that a batch has made and nobody has touched since, but for those that others need, and those of
 * customers whom a restricted tag hides from who reverts.
 */
export async function revertBatch(
  tx: AccountTx,
  policies: Policies,
  id: string,
  importables: ReadonlyMap<string, Importable>,
): Promise<{ reverted: number; left: UnrevertedRecord[] } | null> {
  const batch = await tx.one(lockBatch, { id })
  if (!batch) return null
  if (!batch.finished) {
    throw new ApiError('validation_failed', 'The batch is still running. Revert it when it has finished.', {
      details: { status: ['Must be a final status.'] },
    })
  }
  const importable = importables.get(batch.entity)
  if (!importable) throw unknownEntity(batch.entity)
  const { entity, revert } = importable
  const { made, remove } = (asksRestricted(entity, policies) ? guardedStatements : statements)(entity)
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
