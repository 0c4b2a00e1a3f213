import type { WrittenRecord } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const keep = statement(
  { account: pg.integer, notes: pg.jsonText },
  {},
  `
  with given as (select * from json_to_recordset($notes::json) as n(customer_id uuid, body text)),
  gone as (
    delete from customer_notes n using given g
    where n.account_id = $account::integer and n.customer_id = g.customer_id and n.source = 'import' and g.body is null
  )
  insert into customer_notes (account_id, customer_id, source, body)
  select $account::integer, customer_id, 'import', body from given where body is not null order by customer_id
  on conflict (account_id, customer_id) where source = 'import' do update set body = excluded.body, updated_at = now()`,
)

/** Stores the `notes` of the rows as the one imported note of each customer; an emptied cell deletes it. */
export async function keepImportedNotes(tx: AccountTx, written: readonly WrittenRecord[]): Promise<void> {
  const notes = written.flatMap(({ id, changes: { notes } }) =>
    notes === undefined ? [] : [{ customer_id: id, body: notes }],
  )
  if (notes.length > 0) tx.later(keep, { notes: JSON.stringify(notes) })
}
