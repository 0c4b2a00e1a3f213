import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import type { OutcomeCounts } from '../engine/run.ts'
import type { Options } from './keep-batch.ts'

/** How long the rows of a finished batch are stored. */
const PAYLOAD_KEPT = '30 days'

export const lockLeasedBatch = statement(
  { id: pg.uuid, lease: pg.uuid, account: pg.integer },
  {
    entity: pg.text,
    source: pg.text,
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    conflict: pg.textOf<'skip' | 'update'>(),
    counts: pg.json<OutcomeCounts>(),
    processed: pg.integer,
    ignored: pg.list(pg.text),
    options: pg.filled(pg.json<Options>()),
    principal: pg.filled(pg.uuid),
  },
  `
  select entity, source_system as source, company_id as company, branch_id as branch, on_conflict as conflict, counts, processed,
    ignored_fields as ignored, options, principal_id as principal
  from import_batches where account_id = $account and id = $id and leased_by = $lease and finished_at is null for update`,
)

const left = (limit: string) => `
  select nth, first_index, rows from import_chunks where account_id = $account and batch_id = $id and outcomes is null
  order by nth ${limit}`

export const nextChunk = statement(
  { account: pg.integer, id: pg.uuid },
  { nth: pg.integer, first_index: pg.integer, rows: pg.filled(pg.json<readonly Record<string, unknown>[]>()) },
  left('limit 1'),
)

export const chunksLeft = statement(
  { account: pg.integer, id: pg.uuid },
  { nth: pg.integer, first_index: pg.integer, rows: pg.filled(pg.json<readonly Record<string, unknown>[]>()) },
  left(''),
)

/** The attempt at the next chunk is counted before it begins. */
export const saveChunks = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    chunks: pg.jsonText,
    counts: pg.jsonText,
    processed: pg.integer,
    ignored: pg.list(pg.text),
    ms: pg.float,
  },
  {},
  `
  with chunk as (
    update import_chunks c set outcomes = o.outcomes, changed = change_number($account::integer)
    from json_to_recordset($chunks::json) as o(nth integer, outcomes json)
    where c.account_id = $account::integer and c.batch_id = $id::uuid and c.nth = o.nth
  )
  update import_batches set counts = $counts, processed = $processed, ignored_fields = $ignored, attempts = 1, failures = 0,
    next_attempt_at = clock_timestamp() + $ms * interval '1 millisecond'
  where account_id = $account::integer and id = $id::uuid`,
)

export const finishBatch = statement(
  { account: pg.integer, id: pg.uuid, status: pg.text, error: pg.nullable(pg.text) },
  {},
  `
  update import_batches set status = $status, error = $error, finished_at = clock_timestamp(), next_attempt_at = null,
    leased_by = null, purge_at = clock_timestamp() + interval '${PAYLOAD_KEPT}'
  where account_id = $account and id = $id`,
)
