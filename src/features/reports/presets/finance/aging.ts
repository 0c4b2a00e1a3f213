import type { Product } from '../../booking-filters.ts'
import type { Grouping, Preset, ReportColumn, ReportFilter, ReportInput, Sensitive } from '../../preset.ts'
import { joinNames, namesFor } from './names.ts'
import { AGING_BUCKET_SQL, AGING_BUCKETS, openItemFilters, openItems, PAYABLES, RECEIVABLES } from './open-items.ts'

const BUCKET_LABELS: Readonly<Record<(typeof AGING_BUCKETS)[number], string>> = {
  not_due: 'Not due',
  overdue_1_30: '1–30 days',
  overdue_31_60: '31–60 days',
  overdue_61_90: '61–90 days',
  overdue_over_90: 'Over 90 days',
}

/** What receivables and payables differ in. */
type Side = {
  /** Totals of the documents besides the open amounts: the column of `open_items`, and its label. */
  readonly sums: Readonly<Record<string, string>>
  /** Columns that only this side has. */
  readonly own: Readonly<Record<string, ReportColumn>>
  readonly sensitive: Sensitive
  readonly source: string
  readonly groupings: Readonly<Record<string, Grouping>>
  readonly filters?: Readonly<Record<string, ReportFilter>>
}

const text = (label: string): ReportColumn => ({ label, type: 'string' })
const grouped = (label: string, key: string, name = key): Grouping => ({ label, key, name })
const CUSTOMER: Readonly<Record<string, ReportColumn>> = {
  customer: { ...text('Customer'), sensitive: 'personal' },
  customer_id: { label: 'Customer id', type: 'uuid' },
}
const SUPPLIER: Readonly<Record<string, ReportColumn>> = {
  supplier: text('Supplier'),
  supplier_id: { label: 'Supplier id', type: 'uuid' },
}

function agingColumns({ sums, own, sensitive }: Side): Preset['columns'] {
  const money = (label: string): ReportColumn => ({ label, type: 'money', sensitive, sums: true })
  return {
    due_on: { label: 'Due', type: 'date' },
    days_overdue: { label: 'Days overdue', type: 'integer' },
    bucket: text('Bucket'),
    number: text('Number'),
    issued_on: { label: 'Issued', type: 'date' },
    ...own,
    advisor: text('Advisor'),
    branch: text('Branch'),
    company: text('Company'),
    currency: text('Currency'),
    documents: { label: 'Documents', type: 'integer', sums: true },
    ...Object.fromEntries(Object.entries(sums).map(([name, label]) => [name, money(label)])),
    open: money('Open'),
    ...Object.fromEntries(AGING_BUCKETS.map((bucket) => [bucket, money(BUCKET_LABELS[bucket])])),
    booking: text('Booking'),
    entity: text('Product key'),
    document_id: { label: 'Document id', type: 'uuid' },
  }
}

/** An amount where it belongs into a bucket, else nothing. */
const inBuckets = (amount: string, prefix = ''): string =>
  AGING_BUCKETS.map(
    (bucket) => `case when i.bucket = '${bucket}' then ${amount} else 0 end as ${prefix}${bucket}`,
  ).join(', ')
const OPEN_IN_BASE = '(i.base_total + i.base_credited - i.base_paid)'

const agingRows =
  ({ source }: Side) =>
  ({ policies, where }: ReportInput): string =>
    `
  ${openItems(source, where)}
  select i.*, 1 as documents, ${inBuckets('i.open')}, ${namesFor(policies)}, to_char(i.due_on, 'YYYY-MM') as month,
    ${OPEN_IN_BASE} as base_open, ${inBuckets(OPEN_IN_BASE, 'base_')}
  from open_items i ${joinNames('i')}`

type About = Pick<Preset, 'key' | 'label' | 'description'>
const aging = (about: About, products: readonly Product[], side: Side): Preset => ({
  ...about,
  category: 'finance',
  feature: 'reports_finance',
  presence: 'money',
  columns: agingColumns(side),
  filters: {
    ...openItemFilters(products),
    bucket: {
      label: 'Bucket',
      type: 'enum',
      options: AGING_BUCKETS,
      multiple: true,
      where: `${AGING_BUCKET_SQL} = any($bucket::text[])`,
    },
    ...side.filters,
  },
  groupings: {
    ...side.groupings,
    advisor: grouped('Advisor', 'advisor_id', 'advisor'),
    branch: grouped('Branch', 'branch_id', 'branch'),
    company: grouped('Company', 'company_id', 'company'),
    bucket: grouped('Bucket', 'bucket'),
    currency: grouped('Currency', 'currency'),
    month: grouped('Month of due', 'month'),
  },
  order: [{ column: 'due_on' }, { column: 'number' }, { column: 'document_id' }],
  pages: true,
  rows: agingRows(side),
  base: true,
})

const DAY =
  'on a date: documents issued by then, in buckets by days overdue. Totals in the currency of the company use the rates of that date.'

/** The customer invoices of which something is open. */
export const receivablesAging = (products: readonly Product[]): Preset =>
  aging(
    {
      key: 'receivables_aging',
      label: 'Aging of receivables',
      description: `What customers owe ${DAY} The open amount is the invoice minus its credit note and the payments up to that date; a negative amount is owed to the customer.`,
    },
    products,
    {
      sums: { total: 'Invoiced', credited: 'Credited', paid: 'Paid' },
      own: CUSTOMER,
      sensitive: 'money',
      source: RECEIVABLES,
      groupings: { customer: grouped('Customer', 'customer_id', 'customer') },
    },
  )

const OPEN_STATUSES = ['draft', 'open', 'partially_paid', 'disputed']
/** The bills and operators' invoices that are to be paid. */
export const payablesAging = (products: readonly Product[]): Preset =>
  aging(
    {
      key: 'payables_aging',
      label: 'Aging of payables',
      description: `What suppliers and tour operators are owed ${DAY} Supplier bills and operator invoices that are neither paid nor void, minus the amounts paid so far; credit notes are negative. A document without a due date is due on its issue date.`,
    },
    products,
    {
      sums: { total: 'Billed', paid: 'Paid' },
      own: { document: text('Document'), status: text('Status'), ...SUPPLIER },
      sensitive: 'cost',
      source: PAYABLES,
      groupings: {
        supplier: grouped('Supplier', 'supplier_id', 'supplier'),
        document: grouped('Document', 'document'),
        status: grouped('Status', 'status'),
      },
      filters: {
        status: {
          label: 'Status',
          type: 'enum',
          options: OPEN_STATUSES,
          multiple: true,
          where: 'o.status = any($status::text[])',
        },
      },
    },
  )
