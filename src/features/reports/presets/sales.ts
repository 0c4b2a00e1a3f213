import type { Policies } from '../../../platform/access/policies.ts'
import { bookingFilters, IS_SALE, type Product } from '../booking-filters.ts'
import {
  advisorDimension,
  branchDimension,
  companyDimension,
  currencyDimension,
  customerDimension,
  DATE_COLUMNS,
  type Dimension,
  destinationDimension,
  monthDimension,
  productOf,
  SUPPLIER_JOIN,
  supplierDimension,
} from '../dimensions.ts'
import { type Dates, maySee, type Preset, type ReportColumn, type ReportInput, within } from '../preset.ts'

/** The dates by which bookings are sold. */
const SALE_DATES: Dates = {
  by: { transaction: within(DATE_COLUMNS.transaction), travel_start: within(DATE_COLUMNS.travel_start) },
  window: 'this_month',
}

const AMOUNTS = {
  currency: { label: 'Currency', type: 'string' },
  bookings: { label: 'Bookings', type: 'integer', sums: true },
  sell: { label: 'Sold, gross', type: 'money', sensitive: 'money', sums: true },
  vat: { label: 'VAT of it', type: 'money', sensitive: 'money', sums: true },
  cost: { label: 'Cost, gross', type: 'money', sensitive: 'cost', sums: true },
  margin: { label: 'Margin, net', type: 'money', sensitive: 'cost', sums: true },
  margin_percent: { label: 'Margin of net sales, %', type: 'percent', sensitive: 'cost' },
} satisfies Record<string, ReportColumn>

type About = { readonly key: string; readonly label: string; readonly description: string; readonly pages?: true }

/** A sales report for one dimension: number, revenue and cost. */
function salesBy(
  about: About,
  own: string,
  dimensions: Readonly<Record<string, Dimension>>,
  products: readonly Product[],
): Preset {
  const dimension = dimensions[own] as Dimension
  const others = Object.entries(dimensions).filter(([name]) => name !== own)
  return {
    ...about,
    category: 'sales',
    feature: 'api_access',
    columns: { ...dimensionColumns(own, dimension), ...AMOUNTS },
    filters: bookingFilters(products),
    dates: SALE_DATES,
    groupings: Object.fromEntries(
      others.map(([name, { label, masked }]) => [
        name,
        { label, key: 'group_id', name: 'group_label', ...(masked && { sensitive: masked.sensitive }) },
      ]),
    ),
    order: [
      { column: 'currency' },
      { column: 'sell', descending: true },
      ...Object.keys(dimensionColumns(own, dimension)).map((column) => ({ column })),
      // A masked key cannot distinguish rows.
      ...(dimension.masked ? [{ column: 'first_booking', type: 'string' } as const] : []),
    ],
    rows: (asked) =>
      salesRows(asked, [own, dimension], asked.groupBy === null ? null : (dimensions[asked.groupBy] ?? null)),
    counts: { bookings: null, unpriced: null },
    base: true,
  }
}

/** The name of a record, and the key that distinguishes it from others with that name. */
function dimensionColumns(name: string, dimension: Dimension): Record<string, ReportColumn> {
  const { label, type, name: called, sensitive, masked } = dimension
  if (!called) return { [name]: { label, type, ...(masked && { sensitive: masked.sensitive, partly: true }) } }
  return {
    [name]: { label, type: 'string', ...(sensitive && { sensitive }) },
    [keyColumn(name, type)]: { label: `${label} ${type === 'uuid' ? 'id' : 'key'}`, type },
  }
}
const keyColumn = (name: string, type: string): string => (type === 'uuid' ? `${name}_id` : `${name}_key`)

/** Sales added up by something, by what they are grouped by, and by currency; names are found once for each sum. */
function salesRows(asked: ReportInput, [own, dimension]: [string, Dimension], group: Dimension | null): string {
  const { policies, where } = asked
  const key = dimension.name ? keyColumn(own, dimension.type) : own
  const masked = dimension.masked && !maySee(policies, dimension.masked.sensitive) ? dimension.masked.from : null
  const [ownName, groupName] = [called(dimension, 'own', policies), group && called(group, 'group', policies)]
  const suppliers = dimension.supplier || group?.supplier ? SUPPLIER_JOIN : ''
  return `
    select ${masked ? 'case when not t.is_masked then t.own_key end' : 't.own_key'} as "${key}" ${dimension.name ? `, ${ownName.sql} as "${own}"` : ''},
      t.group_key as group_id, ${groupName?.sql ?? 'null'} as group_label,
      ${masked ? 't.first_booking' : 'null::text as first_booking'}, t.currency, t.bookings, t.unpriced, t.sell, t.vat, t.cost, t.margin,
      100 * t.margin / nullif(t.sell - t.vat, 0) as margin_percent,
      t.base_currency, t.base_sell, t.base_vat, t.base_cost, t.base_margin
    from (
      select ${dimension.key(asked)} as own_key, ${group ? group.key(asked) : 'null::text'} as group_key, b.currency,
        ${masked ? `bool_or(${masked}) as is_masked, min(b.id::text collate "C") as first_booking,` : ''}
        count(*) as bookings, count(*) filter (where b.sell_total is null) as unpriced,
        sum(b.sell_total) as sell, sum(b.vat_total) as vat, sum(b.cost_total) as cost, sum(b.margin_total) as margin,
        case when min(b.company_currency) = max(b.company_currency) then min(b.company_currency) end as base_currency,
        ${['sell', 'vat', 'cost', 'margin'].map((name) => `${whereAllKnown(`b.company_${name}`)} as base_${name}`).join(', ')}
      from bookings b ${suppliers}
      where b.account_id = $account and ${IS_SALE} and ${where}
      group by 1, 2, 3
    ) t ${ownName.join} ${groupName?.join ?? ''}`
}

/** What the keys of sums `t` are called: SQL of the name, and of the join that it needs. */
function called({ name, names }: Dimension, as: 'own' | 'group', policies: Policies): { sql: string; join: string } {
  const key = `t.${as}_key`
  if (!names) return { sql: name?.(key, policies) ?? key, join: '' }
  const row = `${as}_named`
  const join = `left join ${names.table} ${row} on ${row}.account_id = $account and ${row}.id = ${key}`
  return { sql: names.name(row, policies), join }
}

const whereAllKnown = (column: string): string => `case when bool_and(${column} is not null) then sum(${column}) end`

/** The sales reports, one per dimension. */
export function salesPresets(products: readonly Product[]): readonly Preset[] {
  const dimensions = {
    customer: customerDimension,
    supplier: supplierDimension,
    advisor: advisorDimension,
    product: productOf(products),
    branch: branchDimension,
    company: companyDimension,
    destination: destinationDimension,
    currency: currencyDimension,
    month: monthDimension,
  }
  const of = (about: About, own: keyof typeof dimensions) => salesBy(about, own, dimensions, products)
  return [
    of(
      {
        key: 'sales_by_customer',
        label: 'Sales by customer',
        description: `Sales of each customer. ${WHAT}`,
        pages: true,
      },
      'customer',
    ),
    of(
      {
        key: 'sales_by_supplier',
        label: 'Sales by supplier',
        description: `Sales of each supplier. ${WHAT}`,
        pages: true,
      },
      'supplier',
    ),
    of(
      { key: 'sales_by_advisor', label: 'Sales by advisor', description: `Sales of each advisor. ${WHAT}` },
      'advisor',
    ),
    of(
      { key: 'sales_by_product', label: 'Sales by product', description: `Sales of each product. ${WHAT}` },
      'product',
    ),
    of({ key: 'sales_by_branch', label: 'Sales by branch', description: `Sales of each branch. ${WHAT}` }, 'branch'),
    of(
      {
        key: 'sales_by_destination',
        label: 'Sales by destination',
        description: `Sales by destination: the end of the last leg or service, for a round trip the place of the longest stay, otherwise the place of the supplier. ${WHAT}`,
        pages: true,
      },
      'destination',
    ),
  ]
}

const WHAT =
  'Amounts are gross, with VAT in a separate column. Drafts, options and cancelled or void bookings are not included; `unpriced` counts the bookings without amounts, because an exchange rate is missing.'
