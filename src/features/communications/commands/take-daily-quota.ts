import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const take = statement(
  { account: pg.integer, wanted: pg.integer },
  { taken: pg.integer },
  `
  with today as (
    select account_id, (now() at time zone time_zone)::date as day, daily_messages as most from accounts where account_id = $account::integer
  )
  insert into message_days as d (account_id, day, messages) select account_id, day, least($wanted::integer, most) from today
  on conflict (account_id, day) do update
    set messages = greatest(d.messages, least(d.messages + $wanted::integer, (select most from today)))
  returning new.messages - coalesce(old.messages, 0) as taken`,
)

/** Takes up to the requested number of messages from the account's daily quota. Returns how many. */
export async function takeDailyQuota(tx: AccountTx, requested: number): Promise<number> {
  return (await tx.one(take, { wanted: requested }))?.taken ?? 0
}
