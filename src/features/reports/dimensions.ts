import type { Policies } from '../../platform/access/policies.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import type { Product } from './booking-filters.ts'
import { type ColumnType, maySee, type ReportInput, type Sensitive } from './preset.ts'

/** A dimension by which bookings are grouped and summed. */
export type Dimension = {
  readonly label: string
  readonly type: ColumnType
  /** SQL over a booking `b`, and its supplier `s` if `supplier` is set. It is the same for every role. */
  key(asked: Pick<ReportInput, 'dateBasis'>): string
  /** SQL over these: whether the key is hidden from roles without this policy. */
  readonly masked?: { readonly from: string; readonly sensitive: Sensitive }
  readonly supplier?: true
  /** SQL of the label of a key; `key` is SQL of the key. Not needed if the key is the label. */
  name?(key: string, policies: Policies): string
  /** Where that is looked up, to join where there are many. */
  readonly names?: Names
  readonly sensitive?: Sensitive
}

/** Where the names of records are: a table, and SQL of a name over one of its rows. */
export type Names = { readonly table: string; name(row: string, policies: Policies): string }
const inTable = (table: string, nameOf: (row: string) => string): Names => ({ table, name: nameOf })
const CUSTOMERS: Names = {
  table: 'customers',
  name: (row, policies) => personalSql(restrictedSql(row), `${row}.name`, policies, 'null::text'),
}
const SUPPLIERS = inTable('suppliers', (row) => `${row}.name`)
const SEATS = inTable('seats', (row) => `coalesce(${row}.name, ${row}.email)`)
const BRANCHES = inTable('branches', (row) => `${row}.name`)
const COMPANIES = inTable('companies', (row) => `${row}.name`)

/** SQL of the name of a record; `id` is SQL of its id. */
const named = ({ table, name }: Names, id: string, policies: Policies): string =>
  `(select ${name('n', policies)} from ${table} n where n.account_id = $account and n.id = ${id})`
const NOBODY: Policies = new Set()
/** SQL of a customer's name, for roles that may know it; `id` is SQL of its id. */
export const customerName = (id: string, policies: Policies): string => named(CUSTOMERS, id, policies)
export const supplierName = (id: string): string => named(SUPPLIERS, id, NOBODY)
export const seatName = (id: string): string => named(SEATS, id, NOBODY)
export const branchName = (id: string): string => named(BRANCHES, id, NOBODY)
export const companyName = (id: string): string => named(COMPANIES, id, NOBODY)

const byId = (label: string, column: string, names: Names): Dimension => ({
  label,
  type: 'uuid',
  key: () => column,
  name: (key, policies) => named(names, key, policies),
  names,
})

export const customerDimension: Dimension = { ...byId('Customer', 'b.customer_id', CUSTOMERS), sensitive: 'personal' }
export const supplierDimension = byId('Supplier', 'b.supplier_id', SUPPLIERS)
export const advisorDimension = byId('Advisor', 'b.assigned_to_id', SEATS)
export const branchDimension = byId('Branch', 'b.branch_id', BRANCHES)
export const companyDimension = byId('Company', 'b.company_id', COMPANIES)
export const currencyDimension: Dimension = { label: 'Currency', type: 'string', key: () => 'b.currency' }

/** SQL of the label of a vertical; `key` is SQL of its key. */
export const productLabel = (products: readonly Product[], key: string): string =>
  `case ${key} ${products.map((product) => `when ${quoted([product.key])} then ${quoted([product.label])}`).join(' ')} end`
export const productOf = (products: readonly Product[]): Dimension => ({
  label: 'Product',
  type: 'string',
  key: () => 'b.entity',
  name: (key) => productLabel(products, key),
})

/** Joins the supplier `s` of a booking `b`. */
export const SUPPLIER_JOIN = 'left join suppliers s on s.account_id = b.account_id and s.id = b.supplier_id'

const CITY = `nullif(s.address ->> 'city', '')`
/** Where the last leg or the service leads, else where the supplier is: its city, which is part of an address, and country. */
export const destinationDimension: Dimension = {
  label: 'Destination',
  type: 'string',
  supplier: true,
  key: () => `coalesce(b.destination, nullif(concat_ws(', ', ${CITY}, nullif(s.country_code, '')), ''))`,
  masked: { from: `(b.destination is null and ${CITY} is not null)`, sensitive: 'personal' },
}
/** SQL of the destination of a booking, for roles that may know it. */
export function destinationSql(policies: Policies): string {
  const { key, masked } = destinationDimension
  const sql = key({ dateBasis: null })
  return masked && !maySee(policies, masked.sensitive) ? `case when not ${masked.from} then ${sql} end` : sql
}

/** The column of a booking that a date of it is. */
export const DATE_COLUMNS = { transaction: 'b.transaction_date', travel_start: 'b.travels_on' } as const
export const monthDimension: Dimension = {
  label: 'Month',
  type: 'string',
  key: ({ dateBasis }) =>
    `to_char(${dateBasis === 'travel_start' ? DATE_COLUMNS.travel_start : DATE_COLUMNS.transaction}, 'YYYY-MM')`,
}
