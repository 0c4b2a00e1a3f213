import { identityTable } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { onceFor } from '../../platform/once-for.ts'

const MADE = { index: pg.integer, external_id: pg.nullable(pg.text), id: pg.uuid, reason: pg.nullable(pg.text) }
/** A record that a batch has created, and why it cannot be deleted. */
export type CreatedRecord = pg.RowOf<typeof MADE>

export const lockBatchToRevert = statement(
  { account: pg.integer, id: pg.uuid },
  { entity: pg.text, finished: pg.boolean },
  'select entity, finished_at is not null as finished from import_batches where account_id = $account and id = $id for update',
)

export const revertsOf = (guarded: boolean) => (entity: Entity) => {
  const table = identityTable(entity)
  const hidden = guarded ? `when ${entity.restricted} then 'not_permitted'` : ''
  return {
    // A record whose last change number belongs to the batch was not changed since. A JSON condition may leak, so
    // behind row security no index would serve it: the ids are read first.
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

export const revertsOfEntity = onceFor(revertsOf(false))

export const guardedRevertsOfEntity = onceFor(revertsOf(true))
