import { hashToken, makeToken } from '../../../platform/access/token.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { insertSession, SESSION_PREFIX } from '../sessions.store.ts'
import type { SignInMethod } from '../sessions.view.ts'
import { isKnownPlace } from './known-place.ts'
import { notifyOfSignIn } from './notify-seat.ts'

export type NewSession = {
  readonly seat: string
  readonly method: SignInMethod
  /** Whether its person has shown a second factor, or a passkey. */
  readonly secondFactor: boolean
  /** Whether the seat has one that its person has still to show. */
  readonly owesFactor?: boolean
  readonly address: string
  readonly userAgent: string | null
}
const USER_AGENT_LENGTH = 1000

/** Begins a session of a seat, and notifies its person if the place is new. Answers its token, which is kept nowhere else. */
export async function beginSession(tx: AccountTx, given: NewSession): Promise<string> {
  const { seat, method, secondFactor, owesFactor = false, address } = given
  const userAgent = given.userAgent?.slice(0, USER_AGENT_LENGTH).toWellFormed() ?? null
  const known = await isKnownPlace(tx, seat, { address, userAgent })
  const token = makeToken(SESSION_PREFIX)
  const how = { method, secondFactor, owesFactor }
  const made = await tx.one(insertSession, { seat, hash: hashToken(token), ...how, userAgent, address })
  const { id } = made as NonNullable<typeof made>
  const details = { method, second_factor: secondFactor }
  auditOwn(tx, { action: 'session.began', subjectType: 'session', subjectId: id, details })
  if (!known.both && !known.isFirst) await notifyOfSignIn(tx, seat, { address, userAgent })
  return token
}
