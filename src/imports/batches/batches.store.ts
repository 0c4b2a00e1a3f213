import { PAGE_COLUMNS, type PageRow, pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type Statement, statement, variantOf } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import type { BatchStatus } from './batch-shape.ts'

/** A batch `b` as a client reads it. */
const BATCH = `json_build_object('id', b.id, 'entity', b.entity, 'dry_run', false, 'mode', b.mode, 'status', b.status,
  'source_system', b.source_system, 'company_id', b.company_id, 'branch_id', b.branch_id, 'on_conflict', b.on_conflict,
  'counts', b.counts, 'processed', b.processed, 'ignored_fields', b.ignored_fields, 'error', b.error,
  'created_at', ${instantSql('b.created_at')}, 'started_at', ${instantSql('b.started_at')}, 'finished_at', ${instantSql('b.finished_at')})`
const ONE = `import_batches b where b.account_id = $account and b.id = $id`
export const readBatch = statement(
  { account: pg.integer, id: pg.uuid },
  { batch: pg.printedJson },
  `select ${BATCH}::text as batch from ${ONE}`,
)

/** Before the newest batch, and before the first row. */
export const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
export const FIRST_ROW = ['0', '0']

type ListInput = {
  readonly account: number
  readonly limit: number
  readonly after: readonly string[]
  readonly entity?: string
}
const LIST_TAKES = { account: pg.integer, limit: pg.integer, after: pg.list(pg.text), entity: pg.text }
const lists = new Map<string, Statement<ListInput, PageRow>>()

/** Batches, newest first. The status is part of the text, since its index leaves the usual one out. */
export function listBatches(status: BatchStatus | undefined, ofEntity: boolean): Statement<ListInput, PageRow> {
  const conditions = [...(status ? [`b.status = '${status}'`] : []), ...(ofEntity ? ['b.entity = $entity'] : [])]
  const text = pageSql(
    {
      item: BATCH,
      from: 'import_batches b',
      where: ['b.account_id = $account', ...conditions],
      keys: [
        { sql: 'b.created_at', pg: 'timestamptz' },
        { sql: 'b.id', pg: 'uuid' },
      ],
      descending: true,
    },
    true,
  )
  const list = lists.get(text) ?? variantOf(LIST_TAKES, PAGE_COLUMNS, text)
  lists.set(text, list)
  return list
}

const outcomes = pageSql(
  {
    item: 'o.outcome',
    from: 'import_chunks c cross join lateral json_array_elements(c.outcomes) with ordinality as o(outcome, at)',
    where: [
      'c.account_id = $account and c.batch_id = $id and c.nth >= ($after::text[])[1]::integer',
      `($status::text is null or o.outcome ->> 'status' = $status)`,
    ],
    keys: [
      { sql: 'c.nth', pg: 'integer' },
      { sql: 'o.at', pg: 'bigint' },
    ],
    descending: false,
  },
  true,
)
/** Outcomes by position, which is the chunk and the place in it, with their batch. */
export const listOutcomes = statement(
  { account: pg.integer, id: pg.uuid, limit: pg.integer, after: pg.list(pg.text), status: pg.nullable(pg.text) },
  {
    items: pg.printedJson,
    more: pg.boolean,
    last: pg.nullable(pg.json<string[]>()),
    batch: pg.nullable(pg.printedJson),
  },
  `select page.*, (select ${BATCH}::text from ${ONE}) as batch from (${outcomes}) page`,
)

export const purgePayloads = statement(
  {},
  {},
  `
  with due as (update import_batches set purge_at = null where purge_at <= now() returning account_id, id)
  update import_chunks c set rows = null from due where c.account_id = due.account_id and c.batch_id = due.id`,
)
