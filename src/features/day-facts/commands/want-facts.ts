import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'
import { FACT_KINDS, factQueueName } from '../fact-provider.ts'

/** Whoever asks a provider at the moment loses the lease, since what it asks may no longer be the question. */
const want = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  `
  insert into trip_day_facts as f (account_id, trip_day_id, kind)
  select d.account_id, d.id, kind from trip_days d cross join unnest(array[${quoted(FACT_KINDS)}]) kind
  where d.account_id = $account::integer and d.trip_id = any($trips::uuid[])
  order by d.id, kind -- so that two who want the same days wait for each other, and for nothing else
  on conflict (account_id, trip_day_id, kind) do update set next_attempt_at = now(), failures = 0
    where f.next_attempt_at > now()`,
)

/** Says that the days of these trips have other dates or places, so that what should be known of them is asked anew. */
export function wantFacts(tx: AccountTx, trips: readonly string[]): void {
  if (trips.length === 0) return
  tx.later(want, { trips })
  for (const kind of FACT_KINDS) tx.wake(factQueueName(kind))
}
