import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { UserError } from '../../../platform/user-error.ts'
import { savePassword, withdrawLinks } from '../credentials.store.ts'
import { dropPendingSignIns } from '../factors.store.ts'
import { hashSeatPassword } from '../password-hash.ts'
import { passwordFault } from '../password-rules.ts'
import { endSessionsOfSeat } from '../sessions.store.ts'

/** Throws where a password is too weak. `personal` are words that others know of the person. Answers its hash. */
export async function chosenPassword(password: string, personal: readonly (string | null)[]): Promise<string> {
  const fault = await passwordFault(password, personal)
  if (fault !== null) throw new UserError('invalid_value', fault, { details: { password: [fault] } })
  return hashSeatPassword(password)
}

/** Sets the password of a seat, and ends its other sessions, which may be of somebody who knew the old one. `keep` is the id of a session. */
export function setPassword(tx: AccountTx, seat: string, hash: string, keep: string | null): void {
  tx.later(savePassword, { seat, hash })
  tx.later(withdrawLinks, { seat, purposes: ['sign_in', 'invitation', 'reset'] })
  tx.later(dropPendingSignIns, { seat })
  tx.later(endSessionsOfSeat, { seat, except: keep })
  auditOwn(tx, { action: 'seat.password_changed', subjectType: 'seat', subjectId: seat })
}
