import { byPolicies } from '../../platform/db/by-policies.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { noteView } from './notes.view.ts'
import { restrictedSql } from './reads/restricted.ts'

const ALIVE = 't.account_id = $account and t.id = $customer and t.deleted_at is null'
const OWN = 'n.account_id = t.account_id and n.customer_id = t.id'
type OfCustomer = { account: number; customer: string }
type OfNote = OfCustomer & { id: string }

/** The notes of a customer: pinned first, then newest first. No row where there is no such customer. */
export const listNotes = byPolicies<OfCustomer, { notes: string }>(
  (policies) => `
    select coalesce((select json_agg(${viewSql(noteView, policies)} order by n.pinned desc, n.created_at desc, n.id desc)
      from customer_notes n where ${OWN}), '[]')::text as notes
    from customers t where ${ALIVE}`,
)
export const readNote = byPolicies<OfNote, { note: string }>(
  (policies) => `
    select ${viewSql(noteView, policies)}::text as note
    from customers t join customer_notes n on ${OWN} where ${ALIVE} and n.id = $id`,
)

/** Holds the customer, so that it stays there and no other note comes meanwhile. */
export const lockCustomerForNote = statement<OfCustomer, { id: string }>(
  `select t.id from customers t where ${ALIVE} for no key update`,
)
export const countNotes = statement<OfCustomer, { count: number }>(
  'select count(*)::integer as count from customer_notes where account_id = $account and customer_id = $customer',
)
type NewNote = OfNote & { body: string; pinned: boolean; author: string | null }
export const insertNote = statement<NewNote, never>(`
  insert into customer_notes (account_id, id, customer_id, source, body, pinned, author_id)
  values ($account, $id, $customer, 'api', $body, $pinned, $author)`)

export type StoredNote = {
  source: string
  body: string
  pinned: boolean
  attachments: number
  /** Whether a tag of the customer hides who that is. */
  restricted: boolean
}
export const lockNote = statement<OfNote, StoredNote>(`
  select n.source, n.body, n.pinned,
    (select count(*)::integer from note_attachments a where a.account_id = n.account_id and a.note_id = n.id) as attachments,
    ${restrictedSql('t')} as restricted
  from customers t join customer_notes n on ${OWN} where ${ALIVE} and n.id = $id for update of n`)
export const updateNote = statement<{ account: number; id: string; body: string; pinned: boolean }, never>(`
  update customer_notes set body = $body, pinned = $pinned, updated_at = now() where account_id = $account and id = $id`)
export const attachFiles = statement<{ account: number; note: string; files: readonly string[] }, never>(`
  insert into note_attachments (account_id, note_id, file_id)
  select $account::integer, $note::uuid, file from unnest($files::uuid[]) as file`)

type ById = { account: number; id: string }
export const detachFiles = statement<ById, { file_id: string }>(
  'delete from note_attachments where account_id = $account and note_id = $id returning file_id',
)
export const removeNote = statement<ById, never>('delete from customer_notes where account_id = $account and id = $id')
