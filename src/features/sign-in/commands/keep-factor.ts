import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { UserError } from '../../../platform/user-error.ts'
import { factorsOf } from '../factor-kinds.ts'
import { findFactors, holdSeat } from '../factors.store.ts'
import { dropRecoveryCodes } from '../recovery-codes.store.ts'

/**
 * Looks whether the seat has another factor than the one to be removed. If not, its recovery codes go with it; where the
 * account demands a second factor, it is refused.
 */
export async function refuseLastFactor(tx: AccountTx, seat: string, removing: 'totp' | 'passkey'): Promise<void> {
  await tx.one(holdSeat, { seat })
  const factors = await tx.one(findFactors, { seat })
  if (!factors) return
  const removed = removing === 'totp' ? Number(factors.totp_since !== null) : 1
  if (removed === 0 || factorsOf(factors) > removed) return
  if (factors.required)
    throw new UserError(
      'not_allowed_now',
      'This account demands a second factor. Add another one before you remove it.',
    )
  tx.later(dropRecoveryCodes, { seat })
}
