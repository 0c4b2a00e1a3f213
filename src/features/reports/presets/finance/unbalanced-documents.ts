import { byCurrencyFilter, byIdFilter, type Product } from '../../booking-filters.ts'
import { maySee, type Preset, type ReportInput, within } from '../../preset.ts'
import { CHECKS, COSTLY_REASONS, DOCUMENTS, findingsSql, REASONS } from './document-checks.ts'
import { joinNames, namesFor } from './names.ts'

/** Problems found in the books. */
export const unbalancedDocuments = (products: readonly Product[]): Preset => ({
  key: 'unbalanced_documents',
  label: 'Unbalanced documents',
  description:
    'Bookings, invoices and bills of the period with problems, each with the reason: missing invoices, wrong sums, sales without or below cost, duplicate bills, and invoices of cancelled bookings. Empty for a role that does not see money; findings about costs are left out for a role that does not see costs.',
  category: 'finance',
  feature: 'reports_finance',
  presence: 'money',
  columns: {
    reason: { label: 'Reason', type: 'string' },
    explanation: { label: 'Explanation', type: 'string' },
    day: { label: 'Day', type: 'date' },
    document: { label: 'Document', type: 'string' },
    number: { label: 'Number', type: 'string' },
    customer: { label: 'Customer', type: 'string', sensitive: 'personal' },
    customer_id: { label: 'Customer id', type: 'uuid' },
    supplier: { label: 'Supplier', type: 'string' },
    advisor: { label: 'Advisor', type: 'string' },
    branch: { label: 'Branch', type: 'string' },
    company: { label: 'Company', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    findings: { label: 'Findings', type: 'integer', sums: true },
    amount: { label: 'Amount', type: 'money', sensitive: 'money' },
    expected: { label: 'Expected', type: 'money', sensitive: 'money' },
    difference: { label: 'Difference', type: 'money', sensitive: 'money' },
    booking: { label: 'Booking', type: 'string' },
    record_id: { label: 'Record id', type: 'uuid' },
  },
  filters: {
    reason: {
      label: 'Reason',
      type: 'enum',
      options: REASONS,
      sensitiveOptions: COSTLY_REASONS,
      multiple: true,
      where: 'r.reason = any($reason::text[])',
    },
    document: {
      label: 'Document',
      type: 'enum',
      options: DOCUMENTS,
      multiple: true,
      where: 'r.document = any($document::text[])',
    },
    ...byIdFilter('company_id', 'Company', 'r.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'r.branch_id'),
    ...byIdFilter('advisor_id', 'Advisor', 'r.advisor_id'),
    ...byIdFilter('customer_id', 'Customer', 'r.customer_id'),
    ...byIdFilter('supplier_id', 'Supplier', 'r.supplier_id'),
    ...byCurrencyFilter('r.currency'),
    entity: { label: 'Product', type: 'enum', where: 'r.entity = $entity', options: products.map(({ key }) => key) },
  },
  dates: { by: { transaction: within('r.day') }, window: 'this_month' },
  groupings: {
    reason: { label: 'Reason', key: 'reason', name: 'reason' },
    document: { label: 'Document', key: 'document', name: 'document' },
    advisor: { label: 'Advisor', key: 'advisor_id', name: 'advisor' },
    branch: { label: 'Branch', key: 'branch_id', name: 'branch' },
    company: { label: 'Company', key: 'company_id', name: 'company' },
    supplier: { label: 'Supplier', key: 'supplier_id', name: 'supplier' },
  },
  order: [{ column: 'reason' }, { column: 'day' }, { column: 'document' }, { column: 'record_id' }],
  pages: true,
  rows,
})

function rows({ policies, where }: ReportInput): string {
  const known = CHECKS.filter(({ presence }) => maySee(policies, presence))
  return `
    select r.*, 1 as findings, r.amount - r.expected as difference, ${namesFor(policies)}
    from (${findingsSql(known)}) r ${joinNames('r')}
    where ${where}`
}
