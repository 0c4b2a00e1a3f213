import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
export const insertFile = statement(
  { account: pg.integer, filename: pg.text, content_type: pg.text, byte_size: pg.integer },
  { id: pg.uuid },
  `
  insert into files (account_id, filename, content_type, byte_size)
  values ($account, $filename, $content_type, $byte_size) returning id`,
)

/** A file that a message holds, a note of a customer, or an agency or company as its logo. */
export const readHeldFile = statement(
  { account: pg.integer, id: pg.uuid },
  { filename: pg.text, content_type: pg.text, byte_size: pg.integer },
  `
  select f.filename, f.content_type, f.byte_size from files f
  where f.account_id = $account and f.id = $id and ${notMovedSql('f.account_id')} and (
    exists (select from communication_attachments a where a.account_id = f.account_id and a.file_id = f.id)
    or exists (select from note_attachments a join customer_notes n on n.account_id = a.account_id and n.id = a.note_id
      join customers c on c.account_id = n.account_id and c.id = n.customer_id
      where a.account_id = f.account_id and a.file_id = f.id and c.deleted_at is null)
    or exists (select from accounts a where a.account_id = f.account_id and a.logo_file_id = f.id)
    or exists (select from companies c where c.account_id = f.account_id and c.logo_file_id = f.id))`,
)
