import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { byPolicies } from '../../../platform/db/by-policies.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { viewSchema, viewSql } from '../../../platform/db/view.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { tripDetail } from '../trips.view.ts'

export const TripShape = viewSchema(tripDetail, 'Trip')

const read = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(tripDetail, policies)}::text as item from trips t where t.account_id = $account and t.id = $id`,
)

/** A trip as JSON, as the role sees it; null if it does not exist, or the role sees no trips. */
export async function readTripText(
  reader: AccountReader,
  policies: Policies,
  id: string,
): Promise<JsonText<never> | null> {
  if (!policies.has('view_trips')) return null
  return (await reader.one(read(policies), { id }))?.item ?? null
}
