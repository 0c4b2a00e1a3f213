import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const insertDoneBatch = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    entity: pg.text,
    source: pg.text,
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    conflict: pg.text,
    counts: pg.jsonText,
    status: pg.text,
    ignored: pg.list(pg.text),
    processed: pg.integer,
    outcomes: pg.jsonText,
  },
  {},
  `
  with batch as (
    insert into import_batches (account_id, id, entity, mode, status, source_system, company_id, branch_id, on_conflict, counts,
      processed, ignored_fields, started_at, finished_at)
    values ($account::integer, $id::uuid, $entity, 'sync', $status, $source, $company, $branch, $conflict, $counts,
      $processed, $ignored, now(), clock_timestamp())
  )
  insert into import_chunks (account_id, batch_id, nth, first_index, outcomes, changed)
  values ($account::integer, $id::uuid, 0, 0, $outcomes, change_number($account::integer))`,
)

export const insertQueuedBatch = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    entity: pg.text,
    source: pg.text,
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    conflict: pg.text,
    counts: pg.jsonText,
    options: pg.jsonText,
    principal: pg.uuid,
    size: pg.integer,
    chunks: pg.jsonText,
  },
  {},
  `
  with batch as (
    insert into import_batches (account_id, id, entity, mode, status, source_system, company_id, branch_id, on_conflict, counts,
      options, principal_id, next_attempt_at)
    values ($account::integer, $id::uuid, $entity, 'async', 'queued', $source, $company, $branch, $conflict, $counts,
      $options, $principal, now())
  )
  insert into import_chunks (account_id, batch_id, nth, first_index, rows)
  select $account::integer, $id::uuid, nth - 1, (nth - 1) * $size::integer, rows
  from json_array_elements($chunks::json) with ordinality as chunk(rows, nth)`,
)
