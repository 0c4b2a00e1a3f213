import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { ATTACHMENTS_MAXIMUM } from '../../attachments.ts'
import { readAttributes, refuseAttributes } from '../../attributes.ts'
import { claimUploads } from '../../uploads/commands/claim-uploads.ts'
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
import { detachAll } from './delete-note.ts'

/** A thread is read whole, so it has an end. */
export const NOTES_OF_CUSTOMER = 1_000
type Note = { body: string; pinned: boolean; attachment_ids: string[] }
type Given = Record<string, unknown>
type Place = { readonly customer: string; readonly id: string }

/** Writes a note about a customer. Answers its id; null where there is no such customer. */
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
  const { body, pinned, attachment_ids } = complete(noteAttributes, read(actor, given, true)) as Note
  if ((written?.count ?? 0) >= NOTES_OF_CUSTOMER)
    refuseAttributes([['base', `would be more than ${NOTES_OF_CUSTOMER} notes of the customer: delete one first`]])
  const id = randomUUIDv7()
  tx.later(insertNote, { id, customer, body, pinned, author: actor.seat })
  await attach(tx, files, id, 0, attachment_ids)
  return id
}

/** Changes what is given, and adds attachments, or takes all away where they are emptied; false where there is no such note. */
export async function changeNote(
  tx: AccountTx,
  actor: Actor,
  files: Files,
  { customer, id }: Place,
  given: Given,
): Promise<boolean> {
  const stored = await tx.one(lockNote, { customer, id })
  if (!stored) return false
  const values = read(actor, given, false)
  const { body = stored.body } = values as Partial<Note>
  const added = (values.attachment_ids ?? []) as string[]
  const detaches = values.attachment_ids === null && stored.attachments > 0
  const pinned = 'pinned' in values ? Boolean(values.pinned) : stored.pinned
  if (stored.source === 'import') refuseImported(stored, { body, added })
  if (detaches) await detachAll(tx, id)
  await attach(tx, files, id, stored.attachments, added)
  if (body !== stored.body || pinned !== stored.pinned || added.length > 0 || detaches)
    tx.later(updateNote, { id, body, pinned })
  return true
}

const read = (actor: Actor, given: Given, creates: boolean): Values =>
  readAttributes(noteAttributes, given, {
    company: homeCompany(actor),
    timeZone: actor.timeZone,
    creates,
  })

/** What an imported note says is the import's to change. */
function refuseImported(stored: StoredNote, { body, added }: { body: string; added: readonly string[] }): void {
  const reason = 'belongs to the import, which would write over it: write a note of your own'
  refuseAttributes([
    ...(body === stored.body ? [] : [['body', reason] as const]),
    ...(added.length === 0 ? [] : [['attachment_ids', reason] as const]),
  ])
}

async function attach(tx: AccountTx, files: Files, note: string, held: number, signedIds: string[]): Promise<void> {
  if (held + signedIds.length > ATTACHMENTS_MAXIMUM)
    refuseAttributes([['attachment_ids', `would be more than ${ATTACHMENTS_MAXIMUM} attachments of a note`]])
  const claimed = await claimUploads(tx, files, 'attachment_ids', signedIds)
  if (claimed.length > 0) tx.later(attachFiles, { note, files: claimed })
}
