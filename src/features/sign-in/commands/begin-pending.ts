import { hashToken, makeToken } from '../../../platform/access/token.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { insertPendingSignIn } from '../factors.store.ts'
import type { SignInMethod } from '../sessions.view.ts'
import { isKnownPlace, type SignInPlace } from './known-place.ts'

const PREFIX = 'pnd_'
export type WaitingToken = { readonly token: string; readonly expires_at: string }

/** Keeps a sign-in whose first factor was right until the second is shown. Answers its token, which is kept nowhere else. */
export async function beginPending(
  tx: AccountTx,
  seat: string,
  method: SignInMethod,
  place: SignInPlace,
): Promise<WaitingToken> {
  const { network } = await isKnownPlace(tx, seat, place)
  const token = makeToken(PREFIX)
  const made = await tx.one(insertPendingSignIn, { seat, method, hash: hashToken(token), knownNetwork: network })
  auditOwn(tx, { action: 'sign_in.second_factor_asked', subjectType: 'seat', subjectId: seat, details: { method } })
  return { token, expires_at: (made as NonNullable<typeof made>).expires_at }
}
