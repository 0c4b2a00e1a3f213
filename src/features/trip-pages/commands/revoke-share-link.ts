import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { revokeStored } from '../share-links.store.ts'

/** Ends a link for good, from the next view on; false where the trip has no such link that is not revoked yet. */
export async function revokeShareLink(tx: AccountTx, trip: string, id: string): Promise<boolean> {
  if (!(await tx.one(revokeStored, { trip, id }))) return false
  auditOwn(tx, { action: 'share_link.revoked', subjectType: 'share_link', subjectId: id, details: { trip } })
  return true
}
