import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { type Editor, lockSeat } from '../../accounts/commands/seat-rules.ts'
import { dropPasskeys } from '../passkeys.store.ts'
import { dropRecoveryCodes } from '../recovery-codes.store.ts'
import { dropTotp } from '../totp.store.ts'
import { endAccess } from './end-access.ts'
import { notifyOfChange } from './notify-seat.ts'

/**
 * Removes the second factors of a colleague who has lost them, and ends the sessions, which may be on what was lost. Where
 * the account demands a second factor, the next session has to enrol one. `address` is where the editor is; null is the
 * server itself. Answers how many sessions were ended.
 */
export async function resetFactors(
  tx: AccountTx,
  editor: Editor,
  named: string,
  address: string | null,
): Promise<number> {
  const { stored } = await lockSeat(tx, editor, named)
  const seat = stored.id
  if (editor.seat === seat)
    throw new ApiError('forbidden', 'You cannot reset your own second factor. Remove it in your own session.')
  tx.later(dropTotp, { seat })
  tx.later(dropPasskeys, { seat })
  tx.later(dropRecoveryCodes, { seat })
  const ended = await endAccess(tx, seat)
  auditOwn(tx, { action: 'seat.second_factor_reset', subjectType: 'seat', subjectId: seat, details: { ended } })
  await notifyOfChange(tx, seat, 'second_factor_reset', address)
  return ended
}
