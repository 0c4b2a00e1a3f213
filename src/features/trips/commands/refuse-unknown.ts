import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type Statement, statement } from '../../../platform/db/statement.ts'
import { Reasons } from '../../../platform/http/reasons.ts'

type ById = { account: number; id: string }
const alive = (table: string) =>
  statement(
    { account: pg.integer, id: pg.uuid },
    { id: pg.uuid },
    `select id from ${table} where account_id = $account and id = $id and deleted_at is null`,
  )

/**
 * Refuses the id of a record that does not exist in the account, or is deleted; null passes. Adds a reason, or throws if
 * none are collected.
 */
const refusing =
  (what: string, find: Statement<ById, { id: string }>) =>
  async (tx: AccountTx, attribute: string, id: unknown, reasons?: Reasons): Promise<void> => {
    if (typeof id !== 'string' || (await tx.one(find, { id }))) return
    const refused = reasons ?? new Reasons()
    refused.add([attribute, `No ${what} with this id exists in this account.`])
    if (!reasons) refused.refuse()
  }
export const refuseUnknownCustomer = refusing('customer', alive('customers'))
export const refuseUnknownSupplier = refusing('supplier', alive('suppliers'))
export const refuseUnknownBooking = refusing('booking', alive('bookings'))
export const refuseUnknownTraveler = refusing(
  'traveller',
  statement(
    { account: pg.integer, id: pg.uuid },
    { id: pg.uuid },
    'select id from travelers where account_id = $account and id = $id',
  ),
)
