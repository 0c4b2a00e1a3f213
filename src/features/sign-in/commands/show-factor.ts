import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Seal } from '../../../platform/seal.ts'
import type { PasskeyAnswer } from '../passkey-answers.ts'
import { relyingPartyOf } from '../passkey-answers.ts'
import { takeRecoveryCode } from '../recovery-codes.store.ts'
import { hashRecoveryCode } from '../recovery-codes.ts'
import { findTotp, takeStep } from '../totp.store.ts'
import { stepOfCode } from '../totp.ts'
import { notifyOfChange } from './notify-seat.ts'
import { type BoundTo, showPasskey } from './passkeys.ts'

/** What a person sends as their second factor: one of these. */
export type GivenFactor = {
  readonly code?: string
  readonly passkey?: PasskeyAnswer
  readonly recovery_code?: string
}
export type Showing = {
  readonly seatSecrets: Seal
  readonly address: string
  /** Milliseconds since the epoch. */
  readonly now: number
}
/** Also what the challenge of a passkey is bound to. */
export type ShowingAny = Showing & { readonly publicUrl: string; readonly bound: BoundTo }

/** Whether what a person sends is a second factor of the seat. It is good once. */
export async function showFactor(
  tx: AccountTx,
  seat: string,
  { code, passkey, recovery_code: recoveryCode }: GivenFactor,
  showing: ShowingAny,
): Promise<boolean> {
  if (code !== undefined) return showCode(tx, seat, code, showing)
  if (passkey !== undefined) return showPasskey(tx, seat, passkey, showing.bound, relyingPartyOf(showing.publicUrl))
  if (recoveryCode === undefined) return false
  if (!(await tx.one(takeRecoveryCode, { seat, hash: hashRecoveryCode(recoveryCode) }))) return false
  auditOwn(tx, { action: 'seat.recovery_code_used', subjectType: 'seat', subjectId: seat })
  await notifyOfChange(tx, seat, 'recovery_code_used', showing.address)
  return true
}

async function showCode(tx: AccountTx, seat: string, code: string, { seatSecrets, now }: Showing): Promise<boolean> {
  const found = await tx.one(findTotp, { seat })
  const secret = found && openedSecret(seatSecrets, found.secret)
  const step = secret ? stepOfCode(secret, code, now) : null
  return step !== null && (await tx.one(takeStep, { seat, step })) !== undefined
}

/** Null where another secret of the cell sealed it. */
export function openedSecret(seal: Seal, sealed: Buffer): string | null {
  try {
    return seal.open(sealed)
  } catch {
    return null
  }
}
