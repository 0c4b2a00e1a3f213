import Type from 'typebox'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { maybe, Text, Uuid } from '../../../platform/http/shapes.ts'

/** As made by `seatSql`. */
export const Seat = Type.Object({ id: Uuid, name: maybe(Text(1000)), email: maybe(Text(254)) })

const active = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'select id from seats where account_id = $account and id = $id and active',
)

/** Refuses an id that is not an active seat of the account: adds a reason, or throws if none are collected. */
export async function refuseUnknownSeat(
  tx: AccountTx,
  attribute: string,
  id: unknown,
  reasons?: Reasons,
): Promise<void> {
  if (typeof id !== 'string' || (await tx.one(active, { id }))) return
  const refused = reasons ?? new Reasons()
  refused.add([attribute, 'No active seat with this id exists in this account. Take one from GET /users.'])
  if (!reasons) refused.refuse()
}
