import { statement } from '../../platform/db/statement.ts'

/** A posted invoice or credit note and what has been paid of it; amounts are decimal strings. */
export type PaidInvoice = {
  readonly id: string
  readonly number: string
  readonly document_type: string
  readonly issued_on: string
  readonly due_on: string
  readonly currency: string
  readonly gross: string
  readonly paid: string
  /** A credit note takes it back. */
  readonly reversed: boolean
  /** What is to pay still; of what is reversed, nothing. */
  readonly balance: string
}
const REVERSED = 'exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)'
const columns = `i.id, i.number, i.document_type, i.issued_on, i.due_on, i.currency, trim_scale(i.gross)::text as gross,
  trim_scale(p.paid)::text as paid, ${REVERSED} as reversed,
  case when ${REVERSED} then '0' else trim_scale(i.gross - p.paid)::text end as balance`
const paid = `cross join lateral (
  select coalesce(sum(amount), 0) as paid from customer_payments p where p.account_id = i.account_id and p.invoice_id = i.id) p`

/** By its id or its number, which several companies of the account may have given. */
export const findInvoices = statement<{ account: number; name: string }, PaidInvoice>(
  `select ${columns} from customer_invoices i ${paid} where i.account_id = $account and $name in (i.number, i.id::text)`,
)
/** Newest first. `open` are those of which something is to pay still, and that no credit note takes back. */
export const listInvoices = statement<{ account: number; open: boolean; limit: number }, PaidInvoice>(`
  select ${columns} from customer_invoices i ${paid}
  where i.account_id = $account and (not $open::boolean or (i.gross <> p.paid and i.document_type = 'invoice' and not ${REVERSED}))
  order by i.issued_on desc, i.number desc limit $limit`)
