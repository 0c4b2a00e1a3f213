import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Seal } from '../../../platform/seal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { createSeat } from '../../accounts/commands/create-seat.ts'
import { type Editor, lockSeat } from '../../accounts/commands/seat-rules.ts'
import { mailSeat } from '../../communications/commands/mail-seat.ts'
import { linkAddress, makeLink } from '../../sign-in/commands/make-link.ts'

export type NewPerson = Parameters<typeof createSeat>[2]
/** How invitations leave. */
export type Inviting = {
  readonly publicUrl: string
  /** Whether e-mails reach people; otherwise the inviter hands the link on. */
  readonly sendsMail: boolean
  readonly mailTexts: Seal
}
/** `invitation_link` is null where it was sent by e-mail. */
export type SeatInvitation = {
  readonly id: string
  readonly invitation_link: string | null
  readonly expires_at: string
}

const hasPassword = statement(
  { account: pg.integer, seat: pg.uuid },
  { seat_id: pg.uuid },
  `
  select seat_id from seat_passwords where account_id = $account and seat_id = $seat
  union select seat_id from passkeys where account_id = $account and seat_id = $seat`,
)

/** Creates a seat and invites its person. */
export async function invitePerson(
  tx: AccountTx,
  inviting: Inviting,
  editor: Editor,
  given: NewPerson,
): Promise<SeatInvitation> {
  return invite(tx, inviting, await createSeat(tx, editor, given))
}

/** Invites the person of a seat again; the earlier link is withdrawn. Who has chosen a password needs none. */
export async function inviteAgain(
  tx: AccountTx,
  inviting: Inviting,
  editor: Editor,
  named: string,
): Promise<SeatInvitation> {
  const { stored } = await lockSeat(tx, editor, named)
  if (await tx.one(hasPassword, { seat: stored.id }))
    throw new UserError('not_allowed_now', 'This person has accepted an invitation already.')
  return invite(tx, inviting, stored.id)
}

async function invite(
  tx: AccountTx,
  { publicUrl, sendsMail, mailTexts }: Inviting,
  id: string,
): Promise<SeatInvitation> {
  const { token, expires_at } = await makeLink(tx, id, 'invitation')
  const link = linkAddress(publicUrl, token)
  if (sendsMail)
    await mailSeat(tx, { seat: id, kind: 'invitation', values: () => ({ 'invitation.link': link }), seal: mailTexts })
  return { id, invitation_link: sendsMail ? null : link, expires_at }
}
