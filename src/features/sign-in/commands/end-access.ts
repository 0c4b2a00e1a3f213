import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { withdrawLinks } from '../credentials.store.ts'
import { dropEmailChange } from '../email-changes.store.ts'
import { dropPendingSignIns } from '../factors.store.ts'
import { endSessionsOfSeat } from '../sessions.store.ts'

/** Ends the sessions of a seat and withdraws its links. Answers how many sessions were ended. */
export async function endAccess(tx: AccountTx, seat: string): Promise<number> {
  tx.later(withdrawLinks, { seat, purposes: ['sign_in', 'invitation', 'reset'] })
  tx.later(dropPendingSignIns, { seat })
  tx.later(dropEmailChange, { seat })
  return (await tx.all(endSessionsOfSeat, { seat, except: null })).length
}
