import { hashToken, makeToken } from '../../../platform/access/token.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { Seal } from '../../../platform/seal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { changeSeatEmail, refuseTaken } from '../../accounts/commands/change-seat-email.ts'
import { checkEmail } from '../../accounts/commands/create-seat.ts'
import { mailSeat } from '../../communications/commands/mail-seat.ts'
import { findSeat } from '../credentials.store.ts'
import { confirmEmail, dropEmailChange, saveEmailChange } from '../email-changes.store.ts'
import { holdSeat } from '../factors.store.ts'
import { notifyOfChange } from './notify-seat.ts'

const PREFIX = 'eml_'
const ofSeat = (action: string, seat: string) => ({ action, subjectType: 'seat', subjectId: seat })
export const noEmailChange = (): ApiError =>
  new ApiError('not_found', 'This link was used, was withdrawn or has expired. Ask for the change again.')

/** How the links leave. */
export type MailingLinks = { readonly publicUrl: string; readonly sendsMail: boolean; readonly mailTexts: Seal }

/**
 * Asks for another address of a seat: a link is sent to the present one and to the new one, and both have to be opened. An
 * earlier change of the seat is withdrawn. Answers the address and until when the links are good.
 */
export async function askForEmail(
  tx: AccountTx,
  seat: string,
  given: string,
  { publicUrl, sendsMail, mailTexts }: MailingLinks,
): Promise<{ readonly email: string; readonly expires_at: string }> {
  if (!sendsMail)
    throw new UserError(
      'not_allowed_now',
      'This cell sends no e-mail, so no address can be confirmed. Ask its operator to set SMTP_URL.',
    )
  const email = checkEmail(given)
  await tx.one(holdSeat, { seat })
  const stored = await tx.one(findSeat, { seat })
  if (!stored) throw new ApiError('not_found', 'No such seat exists in this account.')
  if (stored.email === email) throw refused('This is your address already.')
  await refuseTaken(tx, seat, email)
  const sent = [stored.email, email].map((to) => ({ to, token: makeToken(PREFIX) }))
  const [oldHash, newHash] = sent.map(({ token }) => hashToken(token)) as [Buffer, Buffer]
  const made = await tx.one(saveEmailChange, { seat, oldEmail: stored.email, newEmail: email, oldHash, newHash })
  auditOwn(tx, { ...ofSeat('seat.email_change_asked', seat), details: { email } })
  await Promise.all(
    sent.map(({ to, token }) => {
      const values = {
        'email_change.address': email,
        'email_change.link': `${publicUrl}/console/sign-in#email_change=${token}`,
      }
      return mailSeat(tx, { seat, kind: 'email_change', to, values: () => values, seal: mailTexts })
    }),
  )
  return { email, expires_at: (made as NonNullable<typeof made>).expires_at }
}
const refused = (reason: string) => new UserError('invalid_value', reason, { details: { email: [reason] } })

/** Withdraws a change of address. */
export async function cancelEmailChange(tx: AccountTx, seat: string): Promise<void> {
  const dropped = await tx.one(dropEmailChange, { seat })
  if (!dropped) throw new ApiError('not_found', 'Your seat waits for no change of its address.')
  auditOwn(tx, { ...ofSeat('seat.email_change_cancelled', seat), details: { email: dropped.new_email } })
}

/**
 * Confirms one of the two addresses. Once both are confirmed, the seat has the new one, and both are told so. Answers
 * whether it has it.
 */
export async function confirmEmailChange(
  tx: AccountTx,
  seat: string,
  hash: Buffer,
  address: string,
): Promise<{ readonly complete: boolean }> {
  await tx.one(holdSeat, { seat })
  const stored = await tx.one(findSeat, { seat })
  const confirmed = stored?.active ? await tx.one(confirmEmail, { seat, hash }) : undefined
  if (!stored || !confirmed) throw noEmailChange()
  const { old_email, new_email, complete } = confirmed
  if (!complete) {
    auditOwn(tx, { ...ofSeat('seat.email_confirmed', seat), details: { email: new_email } })
    return { complete }
  }
  await refuseTaken(tx, seat, new_email)
  await notifyOfChange(tx, seat, 'email_changed', address, old_email)
  await changeSeatEmail(tx, seat, new_email)
  tx.later(dropEmailChange, { seat })
  auditOwn(tx, {
    ...ofSeat('seat.email_changed', seat),
    before: { email: stored.email },
    after: { email: new_email },
  })
  await notifyOfChange(tx, seat, 'email_changed', address, new_email)
  return { complete }
}
