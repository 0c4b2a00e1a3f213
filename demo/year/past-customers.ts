import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { statement } from '../../src/platform/db/statement.ts'
import { takeChangeNumber } from '../../src/platform/db/take-change-number.ts'
import type { Random } from '../random.ts'
import type { PastTrip } from './plan-trips.ts'

/** A customer who agreed to marketing. The birthday is null if unknown. */
export type Subscriber = { readonly customer: string; readonly since: string; readonly birthday: string | null }

/** Share of past customers who agreed to marketing when they bought. */
const AGREED = 0.7

/** Birthdays match those of the traveller lists. None is today, so that no greeting is sent at once. */
const updateStatement = statement(
  { account: pg.integer, given: pg.jsonText, today: pg.date },
  { customer: pg.uuid, birthday: pg.nullable(pg.text) },
  `
  update customers c set locale = g.locale, opted_in_marketing = g.since is not null, opted_in_at = g.since,
    birthday = case when c.customer_type = 'individual' then (
      select min(d.date_of_birth) from travelers d
      where d.account_id = c.account_id and d.customer_id = c.id and d.name_key = lower(c.name)
        and to_char(d.date_of_birth, 'MM-DD') not in (to_char($today::date, 'MM-DD'), '02-29')) end
  from json_to_recordset($given::json) as g(id uuid, locale text, since timestamptz)
  where c.account_id = $account::integer and c.id = g.id
  returning c.id as customer, c.birthday::text as birthday`,
)

/** Records what is known of the customers of trips. Returns those who agreed to marketing, with the day of consent. */
export async function updateCustomers(
  tx: AccountTx,
  { random, today, trips }: { readonly random: Random; readonly today: string; readonly trips: readonly PastTrip[] },
): Promise<Subscriber[]> {
  const given = trips.map(({ customer, language, created_at }) => ({
    id: customer,
    locale: language,
    since: random.chance(AGREED) ? created_at : null,
  }))
  takeChangeNumber(tx)
  const updated = await tx.all(updateStatement, { given: JSON.stringify(given), today })
  const since = new Map(given.map(({ id, since }) => [id, since]))
  return updated.flatMap(({ customer, birthday }) => {
    const agreed = since.get(customer)
    return agreed ? [{ customer, since: agreed, birthday }] : []
  })
}
