import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'

/** A posted invoice or credit note with its paid amount; amounts are decimal strings in the currency's digits. */
export type PaidInvoice = RowFrom<typeof findInvoices>
const REVERSED = 'exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)'
const columns = `i.number, i.document_type, coalesce(c.name, c.legal_name) as customer, i.issued_on, i.due_on, i.currency,
  money_text(i.gross, i.currency) as gross, money_text(p.paid, i.currency) as paid,
  money_text(case when ${REVERSED} then 0 else i.gross - p.paid end, i.currency) as open, ${REVERSED} as reversed, i.id`
const joined = `customer_invoices i
  left join customers c on c.account_id = i.account_id and c.id = i.customer_id
  cross join lateral (
    select coalesce(sum(amount), 0) as paid from customer_payments p where p.account_id = i.account_id and p.invoice_id = i.id) p`

/** By its id, or by its number, which may exist in several companies of the account. */
export const findInvoices = statement(
  { account: pg.integer, name: pg.text },
  {
    number: pg.text,
    document_type: pg.textOf<'invoice' | 'credit_note'>(),
    customer: pg.nullable(pg.text),
    issued_on: pg.date,
    due_on: pg.date,
    currency: pg.text,
    gross: pg.text,
    paid: pg.text,
    /** The open amount; 0 if a credit note reverses the invoice. */
    open: pg.text,
    reversed: pg.boolean,
    id: pg.uuid,
  },
  `select ${columns} from ${joined} where i.account_id = $account and $name in (i.number, i.id::text)`,
)
/** Newest first. `open`: only invoices of which something is still to pay and that no credit note reverses. */
export const listInvoices = statement(
  { account: pg.integer, open: pg.boolean, limit: pg.integer },
  {
    number: pg.text,
    document_type: pg.textOf<'invoice' | 'credit_note'>(),
    customer: pg.nullable(pg.text),
    issued_on: pg.date,
    due_on: pg.date,
    currency: pg.text,
    gross: pg.text,
    paid: pg.text,
    /** The open amount; 0 if a credit note reverses the invoice. */
    open: pg.text,
    reversed: pg.boolean,
    id: pg.uuid,
  },
  `
  select ${columns} from ${joined}
  where i.account_id = $account and (not $open::boolean or (i.gross <> p.paid and i.document_type = 'invoice' and not ${REVERSED}))
  order by i.issued_on desc, i.number desc limit $limit`,
)
