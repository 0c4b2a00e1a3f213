import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { leasedRows, releaseOf } from '../../platform/jobs/leased-rows.ts'
import type { Operator } from '../../platform/operator.ts'

const BATCH = { table: 'import_batches', key: ['id'], countsAttempts: true } as const

/**
 * The oldest unfinished batch of an account without a running one. Accounts take turns, so that a long queue does not
 * delay the others.
 */
export const dueBatches = leasedRows({
  ...BATCH,
  with: `head as (
    select distinct on (account_id) account_id, id from import_batches where finished_at is null
    order by account_id, created_at, id
  )`,
  from: 'head join import_batches q on q.account_id = head.account_id and q.id = head.id',
  waiting: 'q.finished_at is null',
  order: 'random()',
  sets: `status = 'running', started_at = coalesce(q.started_at, now())`,
  gives: {
    id: pg.uuid,
    attempts: pg.integer,
    failures: pg.integer,
    operator: pg.nullable(pg.json<Operator>()),
  },
  columns: { id: 'q.id', attempts: 'q.attempts', failures: 'q.failures', operator: 'q.operator' },
})

export const releaseBatch = releaseOf(BATCH)

export const postponeBatch = statement(
  { id: pg.uuid, lease: pg.uuid, account: pg.integer, ms: pg.float },
  {},
  `
  update import_batches set leased_by = null, failures = failures + 1, next_attempt_at = now() + $ms * interval '1 millisecond'
  where account_id = $account and id = $id and leased_by = $lease`,
)
