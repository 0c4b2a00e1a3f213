import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const heldInvoiceNumbers = statement(
  { account: pg.integer, numbers: pg.list(pg.text) },
  { supplier_id: pg.uuid, invoice_number: pg.text, id: pg.uuid },
  `
  select i.supplier_id, i.invoice_number, i.id from unnest($numbers::text[]) as key(number)
    join operator_invoices i on i.account_id = $account and i.invoice_number = key.number and i.status <> 'void' and i.deleted_at is null`,
)
