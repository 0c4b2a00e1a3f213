import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'
import { numberedSql } from '../numbered-sql.ts'

type Input = { account: number; bookings: string[] }

/** One numbered document for each booking and currency of the side. */
const numbered = (side: 'sell' | 'cost', series: 'INV' | 'BILL', line: string, condition: string): string => `
  document as (
    select b.id as booking_id, b.company_id, b.invoice_date, extract(year from b.invoice_date)::integer as year, l.currency,
      sum(l.net) as net, sum(l.vat) as vat, sum(l.gross) as gross,
      jsonb_agg(jsonb_build_object(${line}) order by l.position) as lines,
      row_number() over (partition by b.company_id, extract(year from b.invoice_date) order by b.invoice_date, b.id, l.currency) as nth
    from unnest($bookings::uuid[]) as key(id)
      join bookings b on b.account_id = $account and b.id = key.id
      join booking_lines l on l.account_id = b.account_id and l.booking_id = b.id and l.side = '${side}'
    where ${condition}
    group by b.account_id, b.id, l.currency
  ),
  ${numberedSql(series)}`

const SELL_LINE = `'kind', l.kind, 'label', l.label, 'amount', trim_scale(l.amount)::text, 'quantity', l.quantity,
  'vat_rate', trim_scale(l.vat_rate)::text, 'tax_inclusive', l.tax_inclusive, 'net', trim_scale(l.net)::text,
  'vat', trim_scale(l.vat)::text, 'gross', trim_scale(l.gross)::text`
/** As the lines of a bill that is brought forward. */
const COST_LINE = `'description', coalesce(l.label, l.kind), 'quantity', l.quantity, 'amount', trim_scale(l.amount)::text,
  'vat_rate', trim_scale(l.vat_rate)::text, 'net_amount', trim_scale(l.net)::text, 'vat_amount', trim_scale(l.vat)::text,
  'total_amount', trim_scale(l.gross)::text, 'booking_entity', b.entity, 'booking_external_id', b.external_id`

const postSell = statement<Input, never>(`
  with ${numbered('sell', 'INV', SELL_LINE, 'true')}
  insert into customer_invoices (account_id, company_id, branch_id, document_type, number, booking_id, customer_id, currency,
    issued_on, due_on, lines, net, vat, gross)
  select $account::integer, n.company_id, b.branch_id, 'invoice', n.document_number, n.booking_id, b.customer_id, n.currency,
    n.invoice_date, n.invoice_date + c.payment_terms_days, n.lines, n.net, n.vat, n.gross
  from numbered n join bookings b on b.account_id = $account and b.id = n.booking_id
    join companies c on c.account_id = $account and c.id = n.company_id
  order by n.document_number`)

const postCost = statement<Input, never>(`
  with ${numbered('cost', 'BILL', COST_LINE, 'b.supplier_id is not null')}
  insert into supplier_bills (account_id, company_id, branch_id, bill_number, booking_id, supplier_id, currency,
    issued_on, lines, net_amount, vat_amount, total_amount, status)
  select $account::integer, n.company_id, b.branch_id, n.document_number, n.booking_id, b.supplier_id, n.currency,
    n.invoice_date, n.lines, n.net, n.vat, n.gross, 'open'
  from numbered n join bookings b on b.account_id = $account and b.id = n.booking_id
  order by n.document_number`)

/**
 * Posts what follows from bookings that have become invoiced: an invoice to the customer from the sell lines and a bill
 * of the supplier from the cost lines, one for each currency, dated by the bookings' invoice dates.
 */
export function postInvoices(tx: AccountTx, bookings: readonly string[]): void {
  if (bookings.length === 0) return
  tx.later(postSell, { bookings: [...bookings] })
  tx.later(postCost, { bookings: [...bookings] })
}
