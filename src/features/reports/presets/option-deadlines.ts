import { bookingFilters, type Product } from '../booking-filters.ts'
import { branchName, customerName, destinationSql, productLabel, SUPPLIER_JOIN, seatName } from '../dimensions.ts'
import { type Preset, type ReportInput, within } from '../preset.ts'

/** Options, and when they expire. */
export const optionDeadlines = (products: readonly Product[]): Preset => ({
  key: 'option_deadlines',
  label: 'Option deadlines',
  description:
    'Bookings with the status option, by option date; by default undecided ones of the last month and those of the next two weeks.',
  category: 'operations',
  feature: 'api_access',
  columns: {
    option_date: { label: 'Option until', type: 'date' },
    days_left: { label: 'Days left', type: 'integer' },
    product: { label: 'Product', type: 'string' },
    customer: { label: 'Customer', type: 'string', sensitive: 'personal' },
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: { label: 'Supplier', type: 'string' },
    advisor: { label: 'Advisor', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    destination: { label: 'Destination', type: 'string', sensitive: 'personal', partly: true },
    travels_on: { label: 'Travels on', type: 'date' },
    currency: { label: 'Currency', type: 'string' },
    sell: { label: 'Price, gross', type: 'money', sensitive: 'money', sums: true },
    entity: { label: 'Product key', type: 'string' },
    external_id: { label: 'Booking', type: 'string' },
    booking_id: { label: 'Booking id', type: 'uuid' },
  },
  filters: bookingFilters(products),
  dates: { by: { transaction: within('b.option_date') }, window: { back: 30, ahead: 14 } },
  groupings: {
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
    product: { label: 'Product', key: 'entity', name: 'product' },
    date: { label: 'Option until', key: 'option_date', name: 'option_date' },
  },
  order: [{ column: 'option_date' }, { column: 'booking_id' }],
  pages: true,
  rows: ({ policies, where }: ReportInput) => `
    select b.option_date, b.option_date - $today::date as days_left, ${productLabel(products, 'b.entity')} as product, b.entity,
      ${customerName('b.customer_id', policies)} as customer, b.customer_id,
      s.name as supplier, b.supplier_id, ${seatName('b.assigned_to_id')} as advisor, b.assigned_to_id as advisor_id,
      ${branchName('b.branch_id')} as branch, b.branch_id, ${destinationSql(policies)} as destination,
      b.travels_on, b.currency, b.sell_total as sell, b.external_id, b.id as booking_id
    from bookings b ${SUPPLIER_JOIN}
    where b.account_id = $account and b.status = 'option' and b.deleted_at is null and ${where}`,
})
