import { type Statement, statement } from '../../platform/db/statement.ts'
import type { BatchStatus } from '../result.ts'

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
/** A batch `b` as a client reads it. */
const BATCH = `json_build_object('id', b.id, 'entity', b.entity, 'dry_run', false, 'mode', b.mode, 'status', b.status,
  'source_system', b.source_system, 'company_id', b.company_id, 'branch_id', b.branch_id, 'on_conflict', b.on_conflict,
  'counts', b.counts, 'processed', b.processed, 'ignored_fields', b.ignored_fields, 'error', b.error,
  'created_at', ${instant('b.created_at')}, 'started_at', ${instant('b.started_at')}, 'finished_at', ${instant('b.finished_at')})::text`

type One = { account: number; id: string }
export const readBatch = statement<One, { batch: string }>(
  `select ${BATCH} as batch from import_batches b where b.account_id = $account and b.id = $id`,
)

/** Before the newest batch, and before the first row. */
export const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const
export const FIRST_ROW = ['0', '0'] as const

type ListInput = { account: number; limit: number; created: string; id: string; entity?: string }
export type Page = { items: string | null; more: boolean; last: [string, string] | null }
const lists = new Map<string, Statement<ListInput, Page>>()

/** Batches, newest first. The status is part of the text, since its index leaves the usual one out. */
export function listBatches(status: BatchStatus | undefined, ofEntity: boolean): Statement<ListInput, Page> {
  const name = `${status} ${ofEntity}`
  const known = lists.get(name)
  if (known) return known
  const made = statement<ListInput, Page>(`
    select string_agg(item, ',' order by nth) filter (where nth <= $limit) as items, count(*) > $limit as more,
      (array_agg(json_build_array(created, id) order by nth) filter (where nth <= $limit))[least(count(*), $limit)] as last
    from (
      select ${BATCH} as item, b.created_at::text as created, b.id, row_number() over (order by b.created_at desc, b.id desc) as nth
      from import_batches b where b.account_id = $account and (b.created_at, b.id) < ($created::timestamptz, $id::uuid)
        ${status ? `and b.status = '${status}'` : ''} ${ofEntity ? 'and b.entity = $entity' : ''}
      order by b.created_at desc, b.id desc limit $limit::bigint + 1
    ) page`)
  lists.set(name, made)
  return made
}

type RowsInput = One & { limit: number; nth: string; at: string; status: string | null }
/** Outcomes by position: the chunk and the place in it. */
export const listOutcomes = statement<RowsInput, Page & { batch: string | null }>(`
  select (select ${BATCH} from import_batches b where b.account_id = $account and b.id = $id) as batch,
    string_agg(item, ',' order by place) filter (where place <= $limit) as items, count(*) > $limit as more,
    (array_agg(json_build_array(nth::text, at::text) order by place) filter (where place <= $limit))[least(count(*), $limit)] as last
  from (
    select o.outcome::text as item, c.nth, o.at, row_number() over (order by c.nth, o.at) as place
    from import_chunks c cross join lateral json_array_elements(c.outcomes) with ordinality as o(outcome, at)
    where c.account_id = $account and c.batch_id = $id and c.nth >= $nth::integer
      and (c.nth, o.at) > ($nth::integer, $at::bigint) and ($status::text is null or o.outcome ->> 'status' = $status)
    order by c.nth, o.at limit $limit::bigint + 1
  ) page`)
