import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { UserError } from '../../../platform/user-error.ts'
import { type Editor, lockSeat, refuseLastOwner, type StoredSeat } from './seat-rules.ts'

const setActive = statement(
  { account: pg.integer, id: pg.uuid, active: pg.boolean },
  {},
  'update seats set active = $active, version = version + 1 where account_id = $account and id = $id',
)
/** Keys without a role act as the seat of an owner. */
const passOwnership = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  update accounts a set owner_id = (select s.id from seats s
    where s.account_id = a.account_id and s.role = 'owner' and s.active and s.id <> $id order by s.created_at, s.id limit 1)
  where a.account_id = $account and a.owner_id = $id`,
)

/** Closes a seat, but neither the editor's own nor that of the last owner. */
export async function deactivateSeat(tx: AccountTx, editor: Editor, named: string): Promise<StoredSeat> {
  const { stored, isLastOwner } = await lockSeat(tx, editor, named)
  if (editor.seat === stored.id)
    throw new ApiError('forbidden', 'You cannot deactivate your own seat. Ask another person who manages people.')
  refuseLastOwner(isLastOwner)
  if (!stored.active) throw new UserError('not_allowed_now', 'This seat is already inactive.')
  tx.later(setActive, { id: stored.id, active: false })
  tx.later(passOwnership, { id: stored.id })
  return stored
}

/** Opens a seat again, with the role that it had. */
export async function reactivateSeat(tx: AccountTx, editor: Editor, named: string): Promise<void> {
  const { stored } = await lockSeat(tx, editor, named)
  if (stored.active) throw new UserError('not_allowed_now', 'This seat is already active.')
  tx.later(setActive, { id: stored.id, active: true })
  auditOwn(tx, { action: 'seat.reactivated', subjectType: 'seat', subjectId: stored.id })
}
