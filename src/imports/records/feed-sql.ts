import { fromSql, ofEntity } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { printedArray } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { recordSql, tombstoneSql } from './record-sql.ts'

/** One record by its external id. */
export function readSql(entity: Entity, policies: Policies): string {
  const named = (record: string) => `${record}.source_system = $source and ${record}.external_id = $external_id`
  const own = entity.merges
    ? `t.id = (select coalesce(k.merged_into_id, k.id) from ${entity.table} k where k.account_id = $account and ${named('k')})`
    : named('t')
  return `select ${recordSql(entity, policies)}::text as item from ${fromSql(entity)}
    where t.account_id = $account and ${ofEntity(entity)} and ${own} and t.deleted_at is null`
}

/** The filters of the feed, and their conditions. A record of the whole account is in each of its companies and branches. */
const conditionsOf = ({ status, scope }: Entity) => ({
  source_system: 't.source_system = $source_system',
  external_ids: 't.external_id = any($external_ids::text[])',
  status: `${status} = $status`,
  updated_since: 't.updated_at >= $updated_since::timestamptz',
  company_id: scope === 'account' ? 'true' : 't.company_id = $company_id::uuid',
  branch_id: scope === 'account' ? 'true' : '(t.branch_id = $branch_id::uuid or t.branch_id is null)',
})
/** The parameters that they name. */
export const FILTER_TYPES: Readonly<Record<FeedFilter, pg.PgType>> = {
  source_system: pg.text,
  external_ids: pg.list(pg.text),
  status: pg.text,
  updated_since: pg.instant,
  company_id: pg.uuid,
  branch_id: pg.uuid,
}
export type FeedFilter = keyof ReturnType<typeof conditionsOf>

/** A page of the feed: the records that changed after a number, oldest change first. Deleted ones are tombstones. */
export function feedSql(entity: Entity, policies: Policies, filters: readonly FeedFilter[]): string {
  const conditions = conditionsOf(entity)
  const item = `case when t.deleted_at is null then ${recordSql(entity, policies)} else ${tombstoneSql(entity)} end`
  return `
    select ${printedArray(`string_agg(item::text, ',') filter (where nth <= $limit)`)} as items, count(*) > $limit as more,
      (array_agg(changed order by nth) filter (where nth <= $limit))[least(count(*), $limit)]::text as changed,
      (array_agg(id order by nth) filter (where nth <= $limit))[least(count(*), $limit)]::text as id
    from (
      select ${item} as item, t.changed, t.id, row_number() over (order by t.changed, t.id) as nth from ${fromSql(entity)}
      where t.account_id = $account and ${ofEntity(entity)} and (t.changed, t.id) > ($changed::bigint, $id::uuid)
        ${filters.map((name) => `and ${conditions[name]}`).join(' ')}
      order by t.changed, t.id limit $limit::bigint + 1
    ) page`
}
