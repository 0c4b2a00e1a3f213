import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { releaseFiles } from '../../uploads/commands/release-files.ts'
import { detachFiles, lockNote, removeNote } from '../notes.store.ts'

/** Deletes a note and leaves its files to the sweep; false if it does not exist. */
export async function deleteNote(tx: AccountTx, customer: string, id: string): Promise<boolean> {
  if (!(await tx.one(lockNote, { customer, id }))) return false
  await detachAll(tx, id)
  tx.later(removeNote, { id })
  auditOwn(tx, {
    action: 'customer_note.deleted',
    subjectType: 'customer_note',
    subjectId: id,
    details: { customer },
  })
  return true
}

/** Takes all attachments of a note away, and leaves their files to be swept away. */
export async function detachAll(tx: AccountTx, id: string): Promise<void> {
  const detached = await tx.all(detachFiles, { id })
  releaseFiles(
    tx,
    detached.map(({ file_id }) => file_id),
  )
}
