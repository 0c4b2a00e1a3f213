import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const request = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  `
  insert into trip_reschedulings (account_id, trip_id) select $account::integer, id from unnest($trips::uuid[]) trip(id)`,
)

/** Has the notifications of these trips scheduled again after something changed that no trigger sees: their bookings. */
export function requestSchedules(tx: AccountTx, trips: readonly string[]): void {
  if (trips.length > 0) tx.later(request, { trips })
}
