import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { noteView } from './notes.view.ts'
import { restrictedSql } from './reads/restricted.ts'

const ALIVE = 't.account_id = $account and t.id = $customer and t.deleted_at is null'
const OWN = 'n.account_id = t.account_id and n.customer_id = t.id'

/** The notes of a customer: pinned first, then newest first. No row if the customer does not exist. */
export const listNotes = byPolicies(
  { account: pg.integer, customer: pg.uuid },
  { notes: pg.text },
  (policies) => `
    select coalesce((select json_agg(${viewSql(noteView, policies)} order by n.pinned desc, n.created_at desc, n.id desc)
      from customer_notes n where ${OWN}), '[]')::text as notes
    from customers t where ${ALIVE}`,
)
export const readNote = byPolicies(
  { account: pg.integer, customer: pg.uuid, id: pg.uuid },
  { note: pg.text, version: pg.integer },
  (policies) => `
    select ${viewSql(noteView, policies)}::text as note, n.version
    from customers t join customer_notes n on ${OWN} where ${ALIVE} and n.id = $id`,
)

/** Locks the customer against deletion and other notes. */
export const lockCustomerForNote = statement(
  { account: pg.integer, customer: pg.uuid },
  { id: pg.uuid },
  `select t.id from customers t where ${ALIVE} for no key update`,
)
export const countNotes = statement(
  { account: pg.integer, customer: pg.uuid },
  { count: pg.integer },
  'select count(*)::integer as count from customer_notes where account_id = $account and customer_id = $customer',
)
export const insertNote = statement(
  {
    account: pg.integer,
    customer: pg.uuid,
    id: pg.uuid,
    body: pg.text,
    pinned: pg.boolean,
    author: pg.nullable(pg.uuid),
  },
  {},
  `
  insert into customer_notes (account_id, id, customer_id, source, body, pinned, author_id)
  values ($account, $id, $customer, 'api', $body, $pinned, $author)`,
)

export type StoredNote = RowFrom<typeof lockNote>
export const lockNote = statement(
  { account: pg.integer, customer: pg.uuid, id: pg.uuid },
  {
    source: pg.text,
    body: pg.text,
    pinned: pg.boolean,
    version: pg.integer,
    attachments: pg.integer,
    /** Whether a tag of the customer hides who that is. */
    restricted: pg.boolean,
  },
  `
  select n.source, n.body, n.pinned, n.version,
    (select count(*)::integer from note_attachments a where a.account_id = n.account_id and a.note_id = n.id) as attachments,
    ${restrictedSql('t')} as restricted
  from customers t join customer_notes n on ${OWN} where ${ALIVE} and n.id = $id for update of n`,
)
export const updateNote = statement(
  { account: pg.integer, id: pg.uuid, body: pg.text, pinned: pg.boolean },
  {},
  `
  update customer_notes set body = $body, pinned = $pinned, updated_at = now() where account_id = $account and id = $id`,
)
export const attachFiles = statement(
  { account: pg.integer, note: pg.uuid, files: pg.list(pg.uuid) },
  {},
  `
  insert into note_attachments (account_id, note_id, file_id)
  select $account::integer, $note::uuid, file from unnest($files::uuid[]) as file`,
)
export const detachFiles = statement(
  { account: pg.integer, id: pg.uuid },
  { file_id: pg.uuid },
  'delete from note_attachments where account_id = $account and note_id = $id returning file_id',
)
export const removeNote = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'delete from customer_notes where account_id = $account and id = $id',
)
