import { byCurrencyFilter, byIdFilter, IS_SALE } from '../../booking-filters.ts'
import { DATE_COLUMNS } from '../../dimensions.ts'
import { inDigits } from '../../in-digits.ts'
import { type Preset, type ReportColumn, type ReportInput, within } from '../../preset.ts'
import { COMMISSION, DOCUMENT_STATUS_SQL, FARE } from '../document-sql.ts'
import { inBase, joinRate, ratesOf } from './base-rates.ts'
import { joinNames, namesFor } from './names.ts'
import { COMMISSION_RECALLED, REFUND_CURRENCY, REFUND_OF_DOCUMENT } from './ticket-refunds.ts'

const SOURCES = ['ticket_sale', 'booking', 'operator_invoice', 'trip_segment']
const money = (label: string): ReportColumn => ({ label, type: 'money', sensitive: 'cost', sums: true })

/** What suppliers are to leave to the agency. */
export const commissionExpected: Preset = {
  key: 'commission_expected',
  label: 'Commission expected',
  description:
    'Commission expected from suppliers: on documents of ticket sales (not void; for refunded ones the part not recalled), on commissionable bookings, on operator invoices, which replace their booking, and their credit notes, and on confirmed trip segments without a booking. In the currency of the company at the rates of the day. Empty for a role that does not see costs.',
  category: 'finance',
  feature: 'reports_finance',
  presence: 'cost',
  columns: {
    day: { label: 'Day', type: 'date' },
    source: { label: 'Source', type: 'string' },
    supplier: { label: 'Supplier', type: 'string' },
    supplier_id: { label: 'Supplier id', type: 'uuid' },
    reference: { label: 'Reference', type: 'string' },
    advisor: { label: 'Advisor', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    company: { label: 'Company', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    items: { label: 'Items', type: 'integer', sums: true },
    amount: { label: 'Of the amount', type: 'money', sensitive: 'money' },
    commission: money('Commission, net'),
    commission_vat: money('VAT of it'),
    commission_gross: money('Commission, gross'),
    record_id: { label: 'Record id', type: 'uuid' },
  },
  filters: {
    source: {
      label: 'Source',
      type: 'enum',
      options: SOURCES,
      multiple: true,
      where: 'r.source = any($source::text[])',
    },
    ...byIdFilter('company_id', 'Company', 'r.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'r.branch_id'),
    ...byIdFilter('advisor_id', 'Advisor', 'r.advisor_id'),
    ...byIdFilter('supplier_id', 'Supplier', 'r.supplier_id'),
    ...byCurrencyFilter('r.currency'),
  },
  dates: { by: { transaction: within('r.day'), travel_start: within('r.travels_on') }, window: 'this_month' },
  groupings: {
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    source: { label: 'Source', key: 'source', name: 'source' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    company: { label: 'Company', key: 'company_id', name: 'company' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
    month: { label: 'Month', key: 'month', name: 'month' },
  },
  order: [{ column: 'day' }, { column: 'source' }, { column: 'record_id' }],
  pages: true,
  rows,
  base: true,
}

const BOOKED = `b.id as record_id, b.account_id, b.company_id, b.branch_id, b.assigned_to_id as advisor_id, b.supplier_id,
  b.external_id as reference, b.currency, ${DATE_COLUMNS.transaction} as day, ${DATE_COLUMNS.travel_start} as travels_on`

/** The whole commission of a refunded document is recalled, unless the refund states an amount. */
const RECALLED = `case when ${DOCUMENT_STATUS_SQL} = 'refunded'
  then coalesce(case when ${REFUND_CURRENCY} = b.currency then ${COMMISSION_RECALLED} end, ${COMMISSION}) else 0 end`
const TICKETS = `
  select 'ticket_sale' as source, ${BOOKED}, c.fare as amount, c.commission, 0::numeric as commission_vat
  from bookings b join tickets t on t.account_id = b.account_id and t.id = b.id
    cross join lateral (
      select sum(${FARE}) as fare, sum(${COMMISSION} - ${RECALLED}) as commission
      from jsonb_array_elements(t.passengers) d(item) left join lateral (${REFUND_OF_DOCUMENT}) f on true
      where ${DOCUMENT_STATUS_SQL} <> 'void') c
  where b.account_id = $account and b.entity = 'tickets' and ${IS_SALE} and c.commission <> 0`
const COMMISSIONABLE = `
  select 'booking' as source, ${BOOKED}, b.sell_total as amount, b.margin_total as commission,
    b.sell_total - b.cost_total - b.margin_total as commission_vat
  from bookings b
  where b.account_id = $account and b.rate_basis = 'commissionable' and b.sell_total <> b.cost_total and ${IS_SALE}
    and not exists (select from operator_invoices o where o.account_id = b.account_id and o.booking_id = b.id
      and o.document_type = 'invoice' and o.commission_amount is not null and o.status <> 'void' and o.deleted_at is null)`

/** A supplier states what it takes back with or without a minus, and may do so in more decimals than there are. */
const signed = (amount: string): string =>
  inDigits(`case when o.document_type = 'credit_note' then -abs(${amount}) else ${amount} end`, 'o.currency')
const OPERATORS = `
  select 'operator_invoice' as source, o.id as record_id, o.account_id, o.company_id, o.branch_id, b.assigned_to_id as advisor_id,
    o.supplier_id, o.invoice_number as reference, o.currency, o.issued_on as day, coalesce(o.departure_on, b.travels_on) as travels_on,
    ${signed('o.gross_amount')} as amount, ${signed('o.commission_amount')} as commission,
    ${signed('coalesce(o.commission_vat_amount, 0)')} as commission_vat
  from operator_invoices o left join bookings b on b.account_id = o.account_id and b.id = o.booking_id
  where o.account_id = $account and o.commission_amount <> 0 and o.status <> 'void' and o.deleted_at is null`
/** A rate is of what the traveller pays; an amount is in the currency of the cost. */
const SEGMENTS = `
  select 'trip_segment' as source, s.id as record_id, s.account_id, t.company_id, t.branch_id, t.assigned_advisor_id as advisor_id,
    s.supplier_id, t.reference_number as reference, k.currency, y.date as day, y.date as travels_on,
    case when k.currency = s.currency then ${inDigits('s.price_amount', 's.currency')} end as amount, k.commission, 0::numeric as commission_vat
  from trip_segments s
    join trip_days y on y.account_id = s.account_id and y.id = s.trip_day_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
    cross join lateral (
      select q.currency, ${inDigits('coalesce(s.commission_amount, s.price_amount * s.commission_rate / 100)', 'q.currency')} as commission
      from (select case when s.commission_amount is null then s.currency else coalesce(s.cost_currency, s.currency) end) q(currency)) k
  where s.account_id = $account and s.booking_id is null and s.status in ('confirmed', 'ticketed') and t.status <> 'cancelled'
    and k.commission <> 0`

function rows({ policies, where, dateBasis }: ReportInput): string {
  return `
    with items as materialized (
      select r.*, null::uuid as customer_id, r.commission + r.commission_vat as commission_gross, c.currency as base_currency, r.day as rate_day
      from (${[TICKETS, COMMISSIONABLE, OPERATORS, SEGMENTS].join(' union all ')}) r
        join companies c on c.account_id = r.account_id and c.id = r.company_id
      where ${where}),
    ${ratesOf('items')}
    select i.*, 1 as items, ${namesFor(policies)}, to_char(${dateBasis === 'travel_start' ? 'i.travels_on' : 'i.day'}, 'YYYY-MM') as month,
      i.base_gross - i.base_net as base_commission_vat, i.base_net as base_commission, i.base_gross as base_commission_gross
    from (
      select i.*, ${inBase('i.commission')} as base_net, ${inBase('i.commission_gross')} as base_gross
      from items i ${joinRate('i')}
    ) i ${joinNames('i')}`
}
