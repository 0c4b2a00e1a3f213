import { byCurrencyFilter, byIdFilter, type Product } from '../../booking-filters.ts'
import { inDigits } from '../../in-digits.ts'
import type { ReportFilter } from '../../preset.ts'
import { inBase, joinRate, ratesOf } from './base-rates.ts'

/** The day for which open amounts are reported. */
const asOf: ReportFilter = { label: 'As of', type: 'date', default: 'today', where: 'o.issued_on <= $as_of::date' }
/** The filters of reports over open items `o`. */
export const openItemFilters = (products: readonly Product[]): Readonly<Record<string, ReportFilter>> => ({
  as_of: asOf,
  ...byIdFilter('company_id', 'Company', 'o.company_id'),
  ...byIdFilter('branch_id', 'Branch', 'o.branch_id'),
  ...byIdFilter('advisor_id', 'Advisor', 'o.advisor_id'),
  ...byIdFilter('customer_id', 'Customer', 'o.customer_id'),
  ...byIdFilter('supplier_id', 'Supplier', 'o.supplier_id'),
  ...byCurrencyFilter('o.currency'),
  entity: { label: 'Product', type: 'enum', where: 'o.entity = $entity', options: products.map(({ key }) => key) },
})

/**
 * The customer invoices with their credit notes, and the payments of both until that day. A credit owed to a customer
 * who had paid is due with the credit note.
 */
export const RECEIVABLES = `
  select i.account_id, i.id as document_id, 'customer_invoice' as document, i.number, i.issued_on,
    case when n.id is not null and i.gross + n.gross < p.amount then n.due_on else i.due_on end as due_on,
    i.company_id, i.branch_id, i.booking_id, b.entity, b.external_id as booking, b.assigned_to_id as advisor_id, i.customer_id,
    b.supplier_id, null::text as status, i.currency, i.gross as total, coalesce(n.gross, 0) as credited, p.amount as paid
  from customer_invoices i
    left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id and n.issued_on <= $as_of::date
    cross join lateral (select coalesce(sum(amount), 0) as amount from customer_payments p
      where p.account_id = i.account_id and p.invoice_id in (i.id, n.id) and p.paid_on <= $as_of::date) p
    cross join lateral (select b.entity, b.external_id, b.assigned_to_id, b.supplier_id from bookings b
      where b.account_id = i.account_id and b.id = i.booking_id limit 1) b
  where i.account_id = $account and i.document_type = 'invoice' and i.settled_on > $as_of::date`

/** What a supplier states: it may give something back with or without a minus, and have more decimals than its currency. */
const stated = (amount: string): string =>
  inDigits(`case when d.document_type = 'credit_note' then -abs(${amount}) else ${amount} end`, 'd.currency')
type Payables = { readonly document: string; readonly table: string; readonly number: string; readonly due: string }
const payables = ({ document, table, number, due }: Payables, customer: string, amount = stated): string => `
  select d.account_id, d.id as document_id, '${document}' as document, d.${number} as number, d.issued_on, ${due} as due_on,
    d.company_id, d.branch_id, d.booking_id, b.entity, b.external_id as booking, b.assigned_to_id as advisor_id,
    ${customer} as customer_id, d.supplier_id, d.status, d.currency, ${amount('d.total_amount')} as total, 0 as credited,
    ${amount('coalesce(d.paid_amount, 0)')} as paid
  from ${table} d left join bookings b on b.account_id = d.account_id and b.id = d.booking_id
  where d.account_id = $account and d.status not in ('paid', 'void') and d.deleted_at is null`
const BILLS: Payables = {
  document: 'supplier_bill',
  table: 'supplier_bills',
  number: 'bill_number',
  due: 'coalesce(d.due_on, d.issued_on)',
}
const OPERATORS: Payables = {
  document: 'operator_invoice',
  table: 'operator_invoices',
  number: 'invoice_number',
  due: 'coalesce(d.due_on, d.balance_due_on, d.issued_on)',
}
/**
 * Amounts owed to suppliers and tour operators: bills that are neither paid nor void. Without a due date, the issue
 * date counts.
 */
export const PAYABLES = [
  `${payables(BILLS, 'b.customer_id', (amount) => amount)} and d.booking_id is not null`,
  `${payables(BILLS, 'null::uuid')} and d.booking_id is null`,
  payables(OPERATORS, 'coalesce(d.customer_id, b.customer_id)'),
].join(' union all ')

const DAYS = '$as_of::date - o.due_on'
/** How late something is: what it is called, and the first and the last day of it. */
export const AGING_BUCKETS = ['not_due', 'overdue_1_30', 'overdue_31_60', 'overdue_61_90', 'overdue_over_90'] as const
/** Of an open item `o`. */
export const AGING_BUCKET_SQL = `case when ${DAYS} <= 0 then 'not_due' when ${DAYS} <= 30 then 'overdue_1_30' when ${DAYS} <= 60 then 'overdue_31_60'
  when ${DAYS} <= 90 then 'overdue_61_90' else 'overdue_over_90' end`

/**
 * Common table expressions: `items`, the open items of these sources on the day, and `open_items`, the same with
 * amounts in the company's currency at that day's rate. The parts are converted, and the open amount is computed from
 * them.
 */
export const openItems = (source: string, where: string): string => `
  with items as materialized (
    select o.*, o.total + o.credited - o.paid as open, ${DAYS} as days_overdue, ${AGING_BUCKET_SQL} as bucket, c.currency as base_currency,
      $as_of::date as rate_day
    from (${source}) o join companies c on c.account_id = o.account_id and c.id = o.company_id
    where o.total + o.credited <> o.paid and ${where}),
  ${ratesOf('items')},
  open_items as (
    select o.*, ${['total', 'credited', 'paid'].map((name) => `${inBase(`o.${name}`)} as base_${name}`).join(', ')}
    from items o ${joinRate('o')})`
