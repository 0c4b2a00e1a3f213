import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** The trips that this transaction has changed. */
export const takeOwnRequests = statement(
  { account: pg.integer },
  { trip: pg.uuid },
  `
  delete from trip_reschedulings where account_id = $account and next_attempt_at = now() and leased_by is null
  returning trip_id as trip`,
)
/** Those of these trips whose requests are still held by the lease. */
export const takeClaimedRequests = statement(
  { account: pg.integer, lease: pg.uuid, trips: pg.list(pg.uuid) },
  { trip: pg.uuid },
  `
  delete from trip_reschedulings where account_id = $account and leased_by = $lease and trip_id = any($trips::uuid[])
  returning trip_id as trip`,
)
