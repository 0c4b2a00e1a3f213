import { byCurrencyFilter, byIdFilter } from '../../booking-filters.ts'
import type { Preset, ReportColumn } from '../../preset.ts'
import { RECONCILIATION_BUCKETS, reconciledRows } from './reconciled-rows.ts'

const COLUMNS = (() => {
  const text = (label: string): ReportColumn => ({ label, type: 'string' })
  const money = (label: string): ReportColumn => ({ label, type: 'money', sensitive: 'money', sums: true })
  const cost = (label: string): ReportColumn => ({ label, type: 'money', sensitive: 'cost', sums: true })
  return {
    day: { label: 'Day', type: 'date' },
    ticket_number: { ...text('Number'), sensitive: 'personal' },
    transaction: text('Sale or refund'),
    bucket: { ...text('Bucket'), sensitive: 'cost', partly: true },
    code: text('Transaction code'),
    airline_number: text('Airline, 3 digits'),
    airline_code: text('Airline'),
    period_on: { label: 'Billing period ends', type: 'date' },
    currency: text('Currency'),
    documents: { label: 'Documents', type: 'integer', sums: true },
    booked: money('In the books'),
    billed: money('Billed'),
    difference: money('Billed less booked'),
    booked_commission: cost('Commission in the books'),
    billed_commission: cost('Commission by the airline'),
    commission_difference: cost('Commission, airline less books'),
    remittance: cost('To remit'),
    document_status: text('Status in the books'),
    settlement_channel: text('Who is paid, in the books'),
    branch: text('Branch'),
    branch_id: { label: 'Branch id', type: 'uuid' },
    company: text('Company'),
    external_id: text('Sale'),
    booking_id: { label: 'Sale id', type: 'uuid' },
    position: { label: 'Document of the sale', type: 'integer' },
    billing_id: { label: 'Billing id', type: 'uuid' },
    line: { label: 'Line of the billing', type: 'integer' },
  } satisfies Record<string, ReportColumn>
})()

const FILTERS: Preset['filters'] = {
  bucket: {
    label: 'Bucket',
    type: 'enum',
    options: Object.keys(RECONCILIATION_BUCKETS),
    sensitiveOptions: RECONCILIATION_BUCKETS,
    multiple: true,
    where: 'r.bucket = any($bucket::text[])',
  },
  tolerance: {
    label: 'Differences up to this amount are none',
    type: 'string',
    where: 'true', // the buckets take it
    pattern: /^\d{1,9}(\.\d{1,4})?$/,
    form: 'Send an amount such as 0.50.',
    default: '0.01',
  },
  airline_number: {
    label: 'Airline, the 3 digits that its documents begin with',
    type: 'string',
    where: 'r.airline_number = $airline_number',
    pattern: /^\d{3}$/,
    form: 'Send 3 digits such as 235.',
  },
  transaction: {
    label: 'Sale or refund',
    type: 'enum',
    options: ['sale', 'refund'],
    where: 'r.transaction = $transaction',
  },
  ...byIdFilter('company_id', 'Company', 'r.company_id'),
  ...byIdFilter('branch_id', 'Branch', 'r.branch_id'),
  ...byCurrencyFilter('r.currency'),
}

/** What airlines bill, against what the books have sold and refunded through the BSP. */
export const bspReconciliation: Preset = {
  key: 'bsp_reconciliation',
  label: 'BSP reconciliation',
  description:
    'Compares the BSP tickets in the books with the imported billings, by document number, with refunds as separate rows. The date is the issue date as billed, otherwise as in the books; with the date basis `transaction`, the end of the billing period. Void documents are included if the other side has them. For a role that does not see costs, the bucket is empty if both sides have the document, unless the amounts differ and the role sees money.',
  category: 'bsp',
  feature: 'reports_bsp',
  columns: COLUMNS,
  filters: FILTERS,
  // The rows apply the window themselves, because both sides of a document are needed even if one has another date.
  dates: { by: { issue: 'true', transaction: 'true' }, window: 'this_month' },
  groupings: {
    bucket: { label: 'Bucket', key: 'bucket', name: 'bucket', sensitive: 'cost' },
    airline: { label: 'Airline, 3 digits', key: 'airline_number', name: 'airline_number' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    company: { label: 'Company', key: 'company_id', name: 'company' },
    transaction: { label: 'Sale or refund', key: 'transaction', name: 'transaction' },
    period: { label: 'Billing period ends', key: 'period_on', name: 'period_on' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
  },
  order: [
    { column: 'day', descending: true },
    { column: 'ticket_number' },
    { column: 'transaction' },
    { column: 'currency' },
    { column: 'booking_id' },
    { column: 'position' },
    { column: 'billing_id' },
    { column: 'line' },
  ],
  pages: true,
  counts: RECONCILIATION_BUCKETS,
  rows: reconciledRows,
}
