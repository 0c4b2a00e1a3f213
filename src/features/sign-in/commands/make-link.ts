import { hashToken, makeToken } from '../../../platform/access/token.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { findSeat, insertLink, withdrawLinks } from '../credentials.store.ts'

const LINK_PREFIX = 'lnk_'
/** How long links are good, in minutes. */
const LIFE = { sign_in: 60, invitation: 72 * 60, reset: 60 }
export type LinkPurpose = keyof typeof LIFE
type MadeLink = { readonly token: string; readonly email: string; readonly expires_at: string }

/**
 * Makes a link for the person of a seat, named by its id or e-mail: to sign in at once, or to choose the first or a new
 * password. It is good once; earlier links for the same purpose are withdrawn. Answers its token, which is kept nowhere else.
 */
export async function makeLink(tx: AccountTx, named: string, purpose: LinkPurpose): Promise<MadeLink> {
  const seat = await tx.one(findSeat, { seat: named })
  if (!seat) throw new RecordNotFound('seat', `No seat ${named} exists in this account.`)
  if (!seat.active) throw new UserError('not_allowed_now', `The seat ${seat.email} is not active.`)
  tx.later(withdrawLinks, { seat: seat.id, purposes: [purpose] })
  const token = makeToken(LINK_PREFIX)
  const made = await tx.one(insertLink, { seat: seat.id, purpose, hash: hashToken(token), minutes: LIFE[purpose] })
  auditOwn(tx, { action: 'sign_in_link.created', subjectType: 'seat', subjectId: seat.id, details: { purpose } })
  return { token, email: seat.email, expires_at: (made as NonNullable<typeof made>).expires_at }
}

/** The address that a link's token is sent in. It stands in the fragment, which no server and no mail scanner reads. */
export const linkAddress = (publicUrl: string, token: string): string => `${publicUrl}/console/sign-in#link=${token}`
