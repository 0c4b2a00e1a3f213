import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { UserError } from '../../../platform/user-error.ts'

const update = statement(
  { account: pg.integer, seat: pg.uuid, email: pg.text },
  {},
  'update seats set email = $email, version = version + 1 where account_id = $account and id = $seat',
)
const findOther = statement(
  { account: pg.integer, seat: pg.uuid, email: pg.text },
  { id: pg.uuid },
  'select id from seats where account_id = $account and email_key = lower($email) and id <> $seat::uuid',
)
const isTaken = () =>
  new UserError('already_exists', 'Another seat of this account has this e-mail address. Choose another address.')

/** Refuses an address that another seat of the account has. */
export async function refuseTaken(tx: AccountTx, seat: string, email: string): Promise<void> {
  if (await tx.one(findOther, { seat, email })) throw isTaken()
}

/** Gives a seat another address, which its person has confirmed. */
export async function changeSeatEmail(tx: AccountTx, seat: string, email: string): Promise<void> {
  // Somebody else may be given the address at this moment.
  if (await tx.attempt(update, [{ seat, email }])) throw isTaken()
}
