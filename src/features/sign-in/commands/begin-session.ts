import { hashToken, makeToken } from '../../../platform/access/token.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { insertSession, SESSION_PREFIX } from '../sessions.store.ts'
import type { SignInMethod } from '../sessions.view.ts'

export type NewSession = {
  readonly seat: string
  readonly method: SignInMethod
  readonly address: string
  readonly userAgent: string | null
}
const USER_AGENT_LENGTH = 1000

/** Begins a session of a seat. Answers its token, which is kept nowhere else. */
export async function beginSession(tx: AccountTx, { seat, method, address, userAgent }: NewSession): Promise<string> {
  const token = makeToken(SESSION_PREFIX)
  const made = await tx.one(insertSession, {
    seat,
    hash: hashToken(token),
    method,
    userAgent: userAgent?.slice(0, USER_AGENT_LENGTH).toWellFormed() ?? null,
    address,
  })
  const { id } = made as NonNullable<typeof made>
  auditOwn(tx, { action: 'session.began', subjectType: 'session', subjectId: id, details: { method } })
  return token
}
