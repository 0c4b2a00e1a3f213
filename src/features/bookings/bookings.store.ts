import type { Revert } from '../../imports/importable.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** A booking that has posted documents, credited or not, bookingsThatStay when the import that made it is taken back. */
export const bookingsThatStay: Revert['stays'] = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  { id: pg.uuid, reason: pg.text },
  `
  select b.id, 'invoiced' as reason from unnest($ids::uuid[]) as key(id)
    join bookings b on b.account_id = $account and b.id = key.id
  where b.invoiced or exists (select from customer_invoices i where i.account_id = $account and i.booking_id = b.id)
    or exists (select from supplier_bills s where s.account_id = $account and s.booking_id = b.id)`,
)

/** The lines of a booking that is priced again. */
export const dropLines = statement(
  { account: pg.integer, booking: pg.uuid },
  {},
  'delete from booking_lines where account_id = $account and booking_id = $booking',
)
