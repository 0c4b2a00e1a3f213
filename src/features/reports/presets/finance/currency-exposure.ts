import type { Product } from '../../booking-filters.ts'
import type { Preset, ReportColumn, ReportInput, Sensitive } from '../../preset.ts'
import { openItemFilters, openItems, PAYABLES, RECEIVABLES } from './open-items.ts'

const money = (label: string, sensitive: Sensitive): ReportColumn => ({ label, type: 'money', sensitive, sums: true })

/** Open amounts of both sides, by currency and month of the due date. */
export const currencyExposure = (products: readonly Product[]): Preset => ({
  key: 'currency_exposure',
  label: 'Currency exposure',
  description:
    'Open items of both agings on a date, by currency and month of the due date. Totals in the currency of the company use the rates of that date.',
  category: 'finance',
  feature: 'reports_finance',
  columns: {
    currency: { label: 'Currency', type: 'string' },
    month: { label: 'Month of due', type: 'string' },
    overdue: { label: 'Overdue', type: 'string' },
    company_currency: { label: 'Company’s currency', type: 'string' },
    documents: { label: 'Documents', type: 'integer', sums: true },
    receivable: money('Receivable', 'money'),
    payable: money('Payable', 'cost'),
    net: money('Net', 'cost'),
  },
  filters: openItemFilters(products),
  groupings: {
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
    month: { label: 'Month of due', key: 'month', name: 'month' },
    overdue: { label: 'Overdue', key: 'overdue', name: 'overdue' },
  },
  order: [{ column: 'currency' }, { column: 'month' }, { column: 'overdue' }, { column: 'company_currency' }],
  rows,
  base: true,
})

function rows({ where }: ReportInput): string {
  const columns = `account_id, document, issued_on, due_on, company_id, branch_id, advisor_id, customer_id, supplier_id, entity,
    currency, total, credited, paid`
  const both = `select ${columns} from (${RECEIVABLES}) r union all select ${columns} from (${PAYABLES}) p`
  return `
    ${openItems(both, where)}
    select e.*, e.receivable - e.payable as net, e.base_receivable - e.base_payable as base_net
    from (
      select o.currency, to_char(o.due_on, 'YYYY-MM') as month, case when o.days_overdue > 0 then 'yes' else 'no' end as overdue,
        o.base_currency as company_currency, o.base_currency, count(*) as documents,
        ${sideSql('receivable', `o.document = 'customer_invoice'`)}, ${sideSql('payable', `o.document <> 'customer_invoice'`)}
      from open_items o group by 1, 2, 3, 4
    ) e`
}

/** The open amount of a side; in the company's currency only if every item has a rate. */
const sideSql = (name: string, condition: string): string => `
  coalesce(sum(o.open) filter (where ${condition}), 0) as ${name},
  case when bool_and(o.base_total is not null)
    then coalesce(sum(o.base_total + o.base_credited - o.base_paid) filter (where ${condition}), 0) end as base_${name}`
