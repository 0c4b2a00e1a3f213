import { namesRestrictedSql, personalSql } from '../../../customers/reads/restricted.ts'
import { byCurrencyFilter, byIdFilter } from '../../booking-filters.ts'
import { type Preset, type ReportColumn, type ReportInput, within } from '../../preset.ts'
import { cellSql, TOTAL } from '../document-sql.ts'
import { joinNames, namesFor } from './names.ts'
import { COMMISSION_RECALLED, elementsOf, REFUND_CURRENCY, REFUND_OF_DOCUMENT, refundAmount } from './ticket-refunds.ts'

const KINDS = ['credit_note', 'payment_returned', 'ticket_void', 'ticket_refund']

const COLUMNS = (() => {
  const text = (label: string): ReportColumn => ({ label, type: 'string' })
  const money = (label: string): ReportColumn => ({ label, type: 'money', sensitive: 'money', sums: true })
  return {
    day: { label: 'Day', type: 'date' },
    kind: text('Kind'),
    number: text('Document'),
    of_number: text('Takes back'),
    ticket_number: { ...text('Ticket'), sensitive: 'personal' },
    customer: { ...text('Customer'), sensitive: 'personal' },
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: text('Supplier'),
    advisor: text('Advisor'),
    branch: text('Branch'),
    company: text('Company'),
    currency: text('Currency'),
    events: { label: 'Events', type: 'integer', sums: true },
    credited: money('Credited to customers'),
    paid_back: money('Paid back to customers'),
    ticket_value: money('Value of the documents'),
    refunded: money('Refunded by airlines'),
    penalty: money('Penalty'),
    commission_recalled: { ...money('Commission recalled'), sensitive: 'cost' },
    booking: text('Booking'),
    booking_id: { label: 'Booking id', type: 'uuid' },
    record: text('Record'),
  } satisfies Record<string, ReportColumn>
})()

/** Cancelled, refunded and voided sales. */
export const refundsAndVoids: Preset = {
  key: 'refunds_and_voids',
  label: 'Refunds and voids',
  description:
    'Reversals in the period: credit notes, refunds to customers, and void or refunded ticket documents. The date of a document is that of the refund by the airline, otherwise of the capture of its void or refund, otherwise of its issue or sale. Amounts that the airline did not state are empty.',
  category: 'finance',
  feature: 'reports_finance',
  columns: COLUMNS,
  filters: {
    kind: { label: 'Kind', type: 'enum', options: KINDS, multiple: true, where: 'r.kind = any($kind::text[])' },
    ...byIdFilter('company_id', 'Company', 'r.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'r.branch_id'),
    ...byIdFilter('advisor_id', 'Advisor', 'r.advisor_id'),
    ...byIdFilter('customer_id', 'Customer', 'r.customer_id'),
    ...byIdFilter('supplier_id', 'Supplier', 'r.supplier_id'),
    ...byCurrencyFilter('r.currency'),
  },
  dates: { by: { transaction: within('r.day') }, window: 'this_month' },
  groupings: {
    kind: { label: 'Kind', key: 'kind', name: 'kind' },
    customer: { label: 'Customer', key: 'customer_id', name: 'customer' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    company: { label: 'Company', key: 'company_id', name: 'company' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
    month: { label: 'Month', key: 'month', name: 'month' },
  },
  order: [{ column: 'day' }, { column: 'kind' }, { column: 'record' }],
  pages: true,
  rows,
}

const NO_TICKET =
  'null::numeric as ticket_value, null::numeric as refunded, null::numeric as penalty, null::numeric as commission_recalled'
const BOOKED =
  'b.assigned_to_id as advisor_id, b.supplier_id, b.external_id as booking, b.id as booking_id, b.account_id'
const CREDIT_NOTES = `
  select i.issued_on as day, 'credit_note' as kind, i.number, n.number as of_number, null as ticket, i.customer_id, i.company_id, i.branch_id, i.currency,
    -i.gross as credited, null::numeric as paid_back, ${NO_TICKET}, i.id::text as record, ${BOOKED}
  from customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
    join customer_invoices n on n.account_id = i.account_id and n.id = i.reverses_id
  where i.account_id = $account`
const RETURNED = `
  select p.paid_on as day, 'payment_returned' as kind, i.number, null as of_number, null as ticket, i.customer_id, i.company_id, i.branch_id, i.currency,
    null::numeric as credited, -p.amount as paid_back, ${NO_TICKET}, p.id::text as record, ${BOOKED}
  from customer_payments p join customer_invoices i on i.account_id = p.account_id and i.id = p.invoice_id
    join bookings b on b.account_id = i.account_id and b.id = i.booking_id
  where p.account_id = $account and p.amount < 0`

/** The sales to check: those with a refund, issue or sale in the window. */
const TOUCHED = `
  touched as materialized (
    select booking_id as id from ticket_document_events
    where account_id = $account and action in ('void', 'refund') and booking_id is not null
      and created_at >= $from::date::timestamp at time zone $zone and created_at < ($to::date + 1)::timestamp at time zone $zone
    union
    select t.id from tickets t cross join lateral ${elementsOf('t.refunds')} f(item)
    where t.account_id = $account and t.refunds is not null and (f.item ->> 'refunded_on')::date between $from::date and $to::date
    union
    select id from bookings where account_id = $account and entity = 'tickets'
      and last_issued_on >= $from::date and first_issued_on <= $to::date
    union
    select id from bookings where account_id = $account and entity = 'tickets' and transaction_date between $from::date and $to::date)`

/** What a document was worth, whether it was issued here or came as a refund. */
const VALUE = `abs(${TOTAL})`
const IS_REFUNDED = `${cellSql('document_status')} = 'refunded'`
const DOCUMENTS = `
  select coalesce((f.item ->> 'refunded_on')::date, (e.created_at at time zone $zone)::date, (${cellSql('issued_on')})::date, b.transaction_date) as day,
    case when ${IS_REFUNDED} then 'ticket_refund' else 'ticket_void' end as kind, null as number, null as of_number,
    ${cellSql('ticket_number')} as ticket, b.customer_id, b.company_id, b.branch_id, ${REFUND_CURRENCY} as currency,
    null::numeric as credited, null::numeric as paid_back, case when ${REFUND_CURRENCY} = b.currency then ${VALUE} end as ticket_value,
    ${refundAmount('total')} as refunded, ${refundAmount('penalty')} as penalty, ${COMMISSION_RECALLED} as commission_recalled,
    b.id || '-' || lpad(d.position::text, 5, '0') as record, ${BOOKED}
  from touched u
    join bookings b on b.account_id = $account and b.id = u.id
    join tickets t on t.account_id = b.account_id and t.id = b.id
    cross join lateral jsonb_array_elements(t.passengers) with ordinality d(item, position)
    left join lateral (${REFUND_OF_DOCUMENT}) f on ${IS_REFUNDED}
    left join lateral (
      select v.created_at from ticket_document_events v
      where v.account_id = b.account_id and v.number = ${cellSql('ticket_number')} and v.booking_id = b.id
        and v.action = case when ${IS_REFUNDED} then 'refund' else 'void' end
      order by v.sale_before is null, v.id desc limit 1) e on true
  where b.account_id = $account and b.deleted_at is null and ${cellSql('document_status')} in ('void', 'refunded')`

function rows({ policies, where }: ReportInput): string {
  const ticket = personalSql(namesRestrictedSql('r', 'r.customer_id'), 'r.ticket', policies, 'null::text')
  return `
    with ${TOUCHED}
    select r.*, 1 as events, ${ticket} as ticket_number, ${namesFor(policies)}, to_char(r.day, 'YYYY-MM') as month
    from (${CREDIT_NOTES} union all ${RETURNED} union all ${DOCUMENTS}) r ${joinNames('r')}
    where ${where}`
}
