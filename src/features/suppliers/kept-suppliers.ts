import type { Undoable } from '../../imports/undoable.ts'
import { statement } from '../../platform/db/statement.ts'

/** A supplier that something alive refers to stays when the import that made it is taken back. */
export const keptSuppliers: Undoable = {
  keeps: statement(`
    select key.id, r.reason from unnest($ids::uuid[]) as key(id) cross join lateral (
      select case
        when exists (select from bookings b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
          then 'has_bookings'
        when exists (select from tour_departures d where d.account_id = $account and d.supplier_id = key.id and d.deleted_at is null)
          then 'has_departures'
        when exists (select from supplier_bills b where b.account_id = $account and b.supplier_id = key.id and b.deleted_at is null)
          or exists (select from operator_invoices i where i.account_id = $account and i.supplier_id = key.id and i.deleted_at is null)
          then 'has_documents'
      end as reason
    ) r where r.reason is not null`),
}
