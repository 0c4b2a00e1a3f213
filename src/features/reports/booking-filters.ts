import { quoted } from '../../platform/db/quoted.ts'
import { statesWhere } from '../bookings/reads/booking-states.ts'
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

const NO_SALE = statesWhere(({ sale }) => sale === 'offer' || sale === 'cancelled')
/** SQL of the condition that a booking `b` is a sale: sold, also if it was refunded later. */
export const IS_SALE = `b.deleted_at is null and b.status not in (${quoted(NO_SALE)})`
/** SQL of the condition that a booking `b` is in a state that is invoiced. */
export const IS_FIRM = `b.status not in (${quoted(statesWhere(({ sale }) => sale !== 'sold'))})`
