import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { UserError } from '../../../platform/user-error.ts'
import { confirmTotp, dropTotp, findUnconfirmedTotp, saveTotp } from '../totp.store.ts'
import { stepOfCode } from '../totp.ts'
import { refuseLastFactor } from './keep-factor.ts'
import { notifyOfChange } from './notify-seat.ts'
import { openedSecret, type Showing } from './show-factor.ts'

/** Begins to enrol an authenticator app, whose secret is `sealed`. */
export async function beginTotp(tx: AccountTx, seat: string, sealed: Buffer): Promise<void> {
  if (!(await tx.one(saveTotp, { seat, secret: sealed })))
    throw new UserError('not_allowed_now', 'This seat has an authenticator app already. Remove it first.')
  auditOwn(tx, { action: 'seat.totp_begun', subjectType: 'seat', subjectId: seat })
}

/** Enrols the authenticator app that shows this code. */
export async function enrolTotp(tx: AccountTx, seat: string, code: string, showing: Showing): Promise<void> {
  const begun = await tx.one(findUnconfirmedTotp, { seat })
  const secret = begun && openedSecret(showing.seatSecrets, begun.secret)
  if (!secret)
    throw new UserError('not_allowed_now', 'No enrolment waits for a code. Begin one with POST /session/totp.')
  const step = stepOfCode(secret, code, showing.now)
  if (step === null) {
    const wrong = 'This is not the code that the app shows now. Check the clock of the phone, and try the next one.'
    throw new UserError('invalid_value', wrong, { details: { code: [wrong] } })
  }
  tx.later(confirmTotp, { seat, step })
  auditOwn(tx, { action: 'seat.totp_added', subjectType: 'seat', subjectId: seat })
  await notifyOfChange(tx, seat, 'totp_added', showing.address)
}

/** Removes the authenticator app of a seat, or an enrolment that was begun. */
export async function removeTotp(tx: AccountTx, seat: string, address: string): Promise<void> {
  await refuseLastFactor(tx, seat, 'totp')
  const dropped = await tx.one(dropTotp, { seat })
  if (!dropped) throw new UserError('not_allowed_now', 'This seat has no authenticator app.')
  if (!dropped.confirmed) return
  auditOwn(tx, { action: 'seat.totp_removed', subjectType: 'seat', subjectId: seat })
  await notifyOfChange(tx, seat, 'totp_removed', address)
}
