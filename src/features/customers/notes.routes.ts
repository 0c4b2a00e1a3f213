import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import type { Files } from '../../platform/files/files.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { type Input, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { takesAttributes, writeShape } from '../../records/attributes.ts'
import { type WithAttachments, withAddresses } from '../uploads/reads/attachments.ts'
import { deleteNote } from './commands/delete-note.ts'
import { changeNote, createNote } from './commands/save-note.ts'
import { CUSTOMERS_TAG } from './customers.routes.ts'
import { noteAttributes } from './note-attributes.ts'
import { listNotes, lockNote, readNote } from './notes.store.ts'
import { noteView } from './notes.view.ts'

const LISTED_MAXIMUM = 10_000 // customers that were merged have the notes of both
const scope = ['full'] as const
const policy = 'manage_customers' as const
const Note = viewSchema(noteView, 'Note')
const Whole = Type.Object({ data: Note })
const Attributes = Type.Object(writeShape(noteAttributes), { title: 'Note attributes' })
const takesNote = takesAttributes('note', noteAttributes, Attributes)
const takesChanges = takesAttributes('note', noteAttributes, Type.Partial(Attributes, { title: 'Note changes' }))
const ofCustomer = byId('customer')
const ofNote = {
  params: Type.Object({
    ...ofCustomer.params.properties,
    note_id: { ...ofCustomer.params.properties.id, description: 'Id of the note.' },
  }),
}

/** Reads the note back as the role sees it. */
async function shown(tx: AccountReader, policies: Policies, files: Files, customer: string, id: string) {
  const found = await tx.last(readNote(policies), { customer, id })
  if (!found) throw noSuch('note')
  return { body: jsonText({ data: withAddresses(files, tx.account, JSON.parse(found.note)) }), version: found.version }
}
type OfNote = Pick<Input, 'actor' | 'files'> & { readonly params: { readonly id: string; readonly note_id: string } }
const versioned = {
  lock: (tx: AccountTx, { params: { id: customer, note_id: id } }: OfNote) => tx.one(lockNote, { customer, id }),
  show: (reader: AccountReader, { params: { id, note_id }, actor, files }: OfNote) =>
    shown(reader, actor.policies, files, id, note_id),
}

export const noteRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/customers/:id/notes',
    tag: CUSTOMERS_TAG,
    summary: 'List the notes of a customer',
    description: 'All notes: pinned first, then newest.',
    scope,
    policy: null,
    takes: ofCustomer,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(Note, { maxItems: LISTED_MAXIMUM }) }),
      description: 'The notes.',
    },
    errors: ['not_found'],
    async handle(reader, { params, actor, files }) {
      const found = await reader.one(listNotes(actor.policies), { customer: params.id })
      if (!found) throw noSuch('customer')
      const notes = JSON.parse(found.notes) as WithAttachments[]
      return jsonText({ data: notes.map((note) => withAddresses(files, actor.account, note)) })
    },
  }),
  route({
    method: 'POST',
    path: '/customers/:id/notes',
    tag: CUSTOMERS_TAG,
    summary: 'Create a note',
    description: '`attachment_ids` are the signed ids of uploads.',
    scope,
    policy,
    takes: { ...ofCustomer, ...takesNote },
    answers: { status: 201, body: Whole, description: 'The note.' },
    versioned: true,
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor, files }) {
      const id = await createNote(tx, actor, files, params.id, body.note)
      if (id === null) throw noSuch('customer')
      return shown(tx, actor.policies, files, params.id, id)
    },
  }),
  ...patchAndPut({
    path: '/customers/:id/notes/:note_id',
    tag: CUSTOMERS_TAG,
    summary: 'Update a note',
    description:
      'Omitted attributes keep their values. `attachment_ids` are added to the existing attachments; null removes all of them. An imported note can only be pinned or unpinned.',
    scope,
    policy,
    takes: { ...ofNote, ...takesChanges },
    answers: { status: 200, body: Whole, description: 'The note.' },
    versioned,
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor, files }) {
      const place = { customer: params.id, id: params.note_id }
      if (!(await changeNote(tx, actor, files, place, body.note))) throw noSuch('note')
      return shown(tx, actor.policies, files, place.customer, place.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/customers/:id/notes/:note_id',
    tag: CUSTOMERS_TAG,
    summary: 'Delete a note',
    description: 'Also deletes its attachments.',
    scope,
    policy,
    takes: ofNote,
    answers: { status: 204, body: Type.Null(), description: 'The note was deleted.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      if (!(await deleteNote(tx, params.id, params.note_id))) throw noSuch('note')
      return NO_BODY
    },
  }),
]

/** Of the application API alone: an editor needs the version of one note. */
export const oneNoteRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/customers/:id/notes/:note_id',
    tag: CUSTOMERS_TAG,
    summary: 'Read a note',
    scope: null,
    policy: null,
    takes: ofNote,
    answers: { status: 200, body: Whole, description: 'The note.' },
    versioned: true,
    errors: ['not_found'],
    handle: (reader, { params, actor, files }) => shown(reader, actor.policies, files, params.id, params.note_id),
  }),
]
