import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { noSuch } from '../../../../platform/http/by-id.ts'
import { notifyOfChange } from '../../commands/notify-seat.ts'
import { endSessionsByProvider } from '../../sessions.store.ts'
import { deleteIdentity, dropIdentity, insertIdentity } from '../identities.store.ts'
import { SignInProblem } from '../problem.ts'

type Identity = { readonly seat: string; readonly provider: string; readonly subject: string }

/** Links a seat to an identity of its person at a provider, in place of a former one there. */
export async function linkIdentity(
  tx: AccountTx,
  { seat, provider, subject }: Identity,
  address: string,
): Promise<void> {
  tx.later(dropIdentity, { seat, provider })
  if (!(await tx.one(insertIdentity, { seat, provider, subject }))) throw new SignInProblem('linked_elsewhere')
  auditOwn(tx, {
    action: 'seat.identity_linked',
    subjectType: 'seat',
    subjectId: seat,
    details: { provider, subject },
  })
  await notifyOfChange(tx, seat, 'identity_linked', address)
}

/** Takes an identity from a seat, and ends the other sessions that began by its provider. `keep` is the id of a session. */
export async function unlinkIdentity(
  tx: AccountTx,
  { seat, id, keep, address }: { seat: string; id: string; keep: string; address: string },
): Promise<void> {
  const identity = await tx.one(deleteIdentity, { seat, id })
  if (!identity) throw noSuch('identity')
  tx.later(endSessionsByProvider, { provider: identity.provider, seat, except: keep })
  auditOwn(tx, { action: 'seat.identity_unlinked', subjectType: 'seat', subjectId: seat, details: identity })
  await notifyOfChange(tx, seat, 'identity_unlinked', address)
}
