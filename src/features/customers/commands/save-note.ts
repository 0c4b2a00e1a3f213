import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { maskedAttributes } from '../../../records/masked-attributes.ts'
import { claimUploads } from '../../uploads/commands/claim-uploads.ts'
import { ATTACHMENTS_MAXIMUM } from '../../uploads/reads/attachments.ts'
import { noteAttributes } from '../note-attributes.ts'
import {
  attachFiles,
  countNotes,
  insertNote,
  lockCustomerForNote,
  lockNote,
  type StoredNote,
  updateNote,
} from '../notes.store.ts'
import { noteView } from '../notes.view.ts'
import { detachAll } from './delete-note.ts'

/** A thread is read whole, so it has an end. */
export const NOTES_OF_CUSTOMER = 1_000
type Note = { body: string; pinned: boolean; attachment_ids: string[] }
type Given = Record<string, unknown>
type Place = { readonly customer: string; readonly id: string }

/** Creates a note about a customer. Returns its id; null if the customer does not exist. */
export async function createNote(
  tx: AccountTx,
  actor: Actor,
  files: Files,
  customer: string,
  given: Given,
): Promise<string | null> {
  // Two statements, so that the second sees what the first has waited for.
  const [held, written] = await Promise.all([
    tx.one(lockCustomerForNote, { customer }),
    tx.one(countNotes, { customer }),
  ])
  if (!held) return null
  const reasons = new Reasons()
  const { body, pinned, attachment_ids } = complete(noteAttributes, read(actor, given, null, reasons)) as Note
  if ((written?.count ?? 0) >= NOTES_OF_CUSTOMER)
    reasons.add(['base', `A customer has at most ${NOTES_OF_CUSTOMER} notes. Delete one first.`])
  const claimed = await claim(tx, files, 0, attachment_ids, reasons)
  reasons.refuse()
  const id = randomUUIDv7()
  tx.later(insertNote, { id, customer, body, pinned, author: actor.seat })
  attach(tx, id, claimed)
  return id
}

/**
 * Updates the given attributes and adds attachments, or removes all if the list is emptied; false if the note does not
 * exist.
 */
export async function changeNote(
  tx: AccountTx,
  actor: Actor,
  files: Files,
  { customer, id }: Place,
  given: Given,
): Promise<boolean> {
  const stored = await tx.one(lockNote, { customer, id })
  if (!stored) return false
  const reasons = new Reasons()
  const values = read(actor, given, stored, reasons)
  const { body = stored.body } = values as Partial<Note>
  const added = (values.attachment_ids ?? []) as string[]
  const detaches = values.attachment_ids === null && stored.attachments > 0
  const pinned = 'pinned' in values ? Boolean(values.pinned) : stored.pinned
  if (stored.source === 'import') refuseImported(stored, { body, added }, reasons)
  const claimed = await claim(tx, files, stored.attachments, added, reasons)
  reasons.refuse()
  if (detaches) await detachAll(tx, id)
  attach(tx, id, claimed)
  if (body !== stored.body || pinned !== stored.pinned || added.length > 0 || detaches)
    tx.later(updateNote, { id, body, pinned })
  return true
}

const read = (actor: Actor, given: Given, stored: StoredNote | null, reasons: Reasons): Values =>
  readAttributes(noteAttributes, given, {
    company: homeCompany(actor),
    timeZone: actor.timeZone,
    creates: stored === null,
    shows: noteView,
    reasons,
    ...(stored && { masked: maskedAttributes(noteAttributes, actor.policies, stored.restricted) }),
  })

/** The content of an imported note is changed only by imports. */
function refuseImported(
  stored: StoredNote,
  { body, added }: { body: string; added: readonly string[] },
  reasons: Reasons,
): void {
  const reason = 'An imported note cannot be changed, because the next import would overwrite it. Create another note.'
  if (body !== stored.body) reasons.add(['body', reason])
  if (added.length > 0) reasons.add(['attachment_ids', reason])
}

async function claim(
  tx: AccountTx,
  files: Files,
  held: number,
  signedIds: readonly string[],
  reasons: Reasons,
): Promise<string[]> {
  if (held + signedIds.length > ATTACHMENTS_MAXIMUM)
    reasons.add(['attachment_ids', `A note has at most ${ATTACHMENTS_MAXIMUM} attachments.`])
  return reasons.has('attachment_ids') ? [] : claimUploads(tx, files, 'attachment_ids', signedIds, reasons)
}

function attach(tx: AccountTx, note: string, claimed: string[]): void {
  if (claimed.length > 0) tx.later(attachFiles, { note, files: claimed })
}
