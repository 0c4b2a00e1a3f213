import { bookingFilters, IS_SALE, type Product } from '../../booking-filters.ts'
import { DATE_COLUMNS, productLabel } from '../../dimensions.ts'
import { type Preset, type ReportColumn, type Sensitive, within } from '../../preset.ts'
import { joinNames, namesFor } from './names.ts'

const money = (label: string, sensitive: Sensitive): ReportColumn => ({ label, type: 'money', sensitive, sums: true })

/** What each booking brings. */
export const marginByBooking = (products: readonly Product[]): Preset => ({
  key: 'margin_by_booking',
  label: 'Margin by booking',
  description:
    'Sales, cost and margin of each booking. The margin is net sales minus net cost. Drafts, options and cancelled or void bookings are not included; `unpriced` counts the bookings without amounts, because an exchange rate is missing.',
  category: 'finance',
  feature: 'reports_finance',
  columns: {
    transaction_date: { label: 'Sold', type: 'date' },
    travels_on: { label: 'Travels on', type: 'date' },
    product: { label: 'Product', type: 'string' },
    status: { label: 'Status', type: 'string' },
    booking: { label: 'Booking', type: 'string' },
    customer: { label: 'Customer', type: 'string', sensitive: 'personal' },
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: { label: 'Supplier', type: 'string' },
    advisor: { label: 'Advisor', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    company: { label: 'Company', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    bookings: { label: 'Bookings', type: 'integer', sums: true },
    sell: money('Sold, gross', 'money'),
    vat: money('VAT of it', 'money'),
    sell_net: money('Sold, net', 'money'),
    cost: money('Cost, gross', 'cost'),
    margin: money('Margin, net', 'cost'),
    margin_percent: { label: 'Margin of net sales, %', type: 'percent', sensitive: 'cost' },
    entity: { label: 'Product key', type: 'string' },
    booking_id: { label: 'Booking id', type: 'uuid' },
  },
  filters: bookingFilters(products),
  dates: {
    by: { transaction: within(DATE_COLUMNS.transaction), travel_start: within(DATE_COLUMNS.travel_start) },
    window: 'this_month',
  },
  groupings: {
    customer: { label: 'Customer', key: 'customer_id', name: 'customer' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    company: { label: 'Company', key: 'company_id', name: 'company' },
    product: { label: 'Product', key: 'entity', name: 'product' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
    month: { label: 'Month', key: 'month', name: 'month' },
  },
  order: [{ column: 'transaction_date' }, { column: 'booking_id' }],
  pages: true,
  counts: { unpriced: null },
  base: true,
  rows: ({ policies, where, dateBasis }) => `
    select b.*, ${namesFor(policies)}, ${productLabel(products, 'b.entity')} as product,
      case when b.sell is null then 1 else 0 end as unpriced, 100 * b.margin / nullif(b.sell_net, 0) as margin_percent
    from (
      select b.id as booking_id, b.transaction_date, b.travels_on, b.entity, b.status, b.external_id as booking, b.customer_id,
        b.supplier_id, b.assigned_to_id as advisor_id, b.branch_id, b.company_id,
        to_char(${dateBasis === 'travel_start' ? DATE_COLUMNS.travel_start : DATE_COLUMNS.transaction}, 'YYYY-MM') as month,
        b.currency, 1 as bookings, b.sell_total as sell, b.vat_total as vat, b.sell_total - b.vat_total as sell_net,
        b.cost_total as cost, b.margin_total as margin, b.company_currency as base_currency, b.company_sell as base_sell,
        b.company_vat as base_vat, b.company_sell - b.company_vat as base_sell_net, b.company_cost as base_cost,
        b.company_margin as base_margin
      from bookings b
      where b.account_id = $account and ${IS_SALE} and ${where}
    ) b ${joinNames('b')}`,
})
