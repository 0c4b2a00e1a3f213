import { quoted } from '../../platform/db/quoted.ts'
import type { ReportFilter } from './preset.ts'

/** A vertical as reports know it. */
export type Product = { readonly key: string; readonly label: string }

/** A filter by the id of a record; one of another account finds nothing. */
export const byIdFilter = (name: string, label: string, column: string): Record<string, ReportFilter> => ({
  [name]: { label, type: 'uuid', where: `${column} = $${name}::uuid` },
})
export const byCurrencyFilter = (column: string): Record<string, ReportFilter> => ({
  currency: {
    label: 'Currency',
    type: 'string',
    where: `${column} = $currency`,
    pattern: /^[A-Z]{3}$/,
    form: 'Send an ISO 4217 code such as EUR.',
  },
})

/** The filters of every report over bookings `b`. */
export const bookingFilters = (products: readonly Product[]): Readonly<Record<string, ReportFilter>> => ({
  ...byIdFilter('company_id', 'Company', 'b.company_id'),
  ...byIdFilter('branch_id', 'Branch', 'b.branch_id'),
  ...byIdFilter('advisor_id', 'Advisor', 'b.assigned_to_id'),
  ...byIdFilter('customer_id', 'Customer', 'b.customer_id'),
  ...byIdFilter('supplier_id', 'Supplier', 'b.supplier_id'),
  ...byCurrencyFilter('b.currency'),
  entity: { label: 'Product', type: 'enum', where: 'b.entity = $entity', options: products.map(({ key }) => key) },
})

/** The states of all verticals before a booking is firm: offered, asked for or prepared, and nothing sold yet. */
export const NOT_SOLD_YET: readonly string[] = [
  'draft',
  'option',
  'requested',
  'quoted',
  'documents_pending',
  'ready',
  'lead',
  'planning',
]
/** SQL of the condition that a booking `b` is a sale: firm, and not taken back without a refund. */
export const IS_SALE = `b.deleted_at is null and b.status not in (${quoted([...NOT_SOLD_YET, 'cancelled', 'void'])})`
/** SQL of the condition that a booking `b` is in a state that is invoiced. */
export const IS_FIRM = `b.status not in (${quoted([...NOT_SOLD_YET, 'refunded', 'cancelled', 'void'])})`
