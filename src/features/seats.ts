import Type from 'typebox'
import type { AccountTx } from '../platform/db/account-tx.ts'
import { statement } from '../platform/db/statement.ts'
import { maybe, Text, Uuid } from '../platform/http/shapes.ts'
import { refuseAttributes } from './attributes.ts'

/** As `seatSql` makes it. */
export const Seat = Type.Object({ id: Uuid, name: maybe(Text(1000)), email: maybe(Text(254)) })

const active = statement<{ account: number; id: string }, { id: string }>(
  'select id from seats where account_id = $account and id = $id and active',
)

/** Refuses what is no active seat of the account. */
export async function refuseUnknownSeat(tx: AccountTx, attribute: string, id: unknown): Promise<void> {
  if (typeof id === 'string' && !(await tx.one(active, { id })))
    refuseAttributes([[attribute, 'is no active seat of the account: take one from GET /users']])
}
