import type { Undoable } from '../../imports/undoable.ts'
import { statement } from '../../platform/db/statement.ts'

/** A customer that something alive refers to stays when the import that made it is taken back. */
export const keptCustomers: Undoable = {
  keeps: statement(`
    select key.id, r.reason from unnest($ids::uuid[]) as key(id) cross join lateral (
      select case
        when exists (select from bookings b where b.account_id = $account and b.customer_id = key.id and b.deleted_at is null)
          then 'has_bookings'
        when exists (select from leads l where l.account_id = $account and l.customer_id = key.id and l.deleted_at is null)
          or exists (select from leads l where l.account_id = $account and l.imported_customer_id = key.id and l.deleted_at is null)
          then 'has_leads'
        when exists (select from customer_invoices i where i.account_id = $account and i.customer_id = key.id)
          or exists (select from operator_invoices i where i.account_id = $account and i.customer_id = key.id and i.deleted_at is null)
          then 'has_documents'
      end as reason
    ) r where r.reason is not null`),
}
