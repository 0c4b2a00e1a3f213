import type { AccountReader } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const byId = statement(
  { account: pg.integer, name: pg.uuid },
  { id: pg.uuid },
  'select id from trips where account_id = $account and id = $name::uuid',
)
const byReference = statement(
  { account: pg.integer, name: pg.text },
  { id: pg.uuid },
  'select id from trips where account_id = $account and reference_number = upper($name)',
)

/** The id of a trip, given by id or reference number. */
export async function findTrip(reader: AccountReader, name: string): Promise<string> {
  const found = await reader.one(UUID.test(name) ? byId : byReference, { name })
  if (!found) throw new RecordNotFound('trip', `No trip ${name} exists in this account.`)
  return found.id
}
