import type { Undoable } from '../../imports/undoable.ts'
import { statement } from '../../platform/db/statement.ts'

/** A booking that has posted documents, credited or not, stays when the import that made it is taken back. */
export const keptBookings: Undoable = {
  keeps: statement(`
    select b.id, 'invoiced' as reason from unnest($ids::uuid[]) as key(id)
      join bookings b on b.account_id = $account and b.id = key.id
    where b.invoiced or exists (select from customer_invoices i where i.account_id = $account and i.booking_id = b.id)
      or exists (select from supplier_bills s where s.account_id = $account and s.booking_id = b.id)`),
}
