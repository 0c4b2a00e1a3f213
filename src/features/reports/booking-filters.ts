import { quoted } from '../../platform/db/quoted.ts'
import type { Filter } from './preset.ts'

/** A vertical as reports know it. */
export type Product = { readonly key: string; readonly label: string }

/** A filter by the id of a record; one of another account finds nothing. */
export const byId = (name: string, label: string, column: string): Record<string, Filter> => ({
  [name]: { label, type: 'uuid', where: `${column} = $${name}::uuid` },
})
export const byCurrency = (column: string): Record<string, Filter> => ({
  currency: {
    label: 'Currency',
    type: 'string',
    where: `${column} = $currency`,
    pattern: /^[A-Z]{3}$/,
    form: 'Send an ISO 4217 code such as EUR.',
  },
})

/** The filters of every report over bookings `b`. */
export const bookingFilters = (products: readonly Product[]): Readonly<Record<string, Filter>> => ({
  ...byId('company_id', 'Company', 'b.company_id'),
  ...byId('branch_id', 'Branch', 'b.branch_id'),
  ...byId('advisor_id', 'Advisor', 'b.assigned_to_id'),
  ...byId('customer_id', 'Customer', 'b.customer_id'),
  ...byId('supplier_id', 'Supplier', 'b.supplier_id'),
  ...byCurrency('b.currency'),
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
