import { byCurrencyFilter, byIdFilter } from '../../booking-filters.ts'
import { companyName } from '../../dimensions.ts'
import { type Preset, type ReportColumn, type ReportInput, type Sensitive, within } from '../../preset.ts'
import { inBase, joinRate, ratesOf } from './base-rates.ts'

const money = (label: string, sensitive: Sensitive): ReportColumn => ({ label, type: 'money', sensitive, sums: true })

/** The VAT that was invoiced, and the VAT that was billed. */
export const vatSummary: Preset = {
  key: 'vat_summary',
  label: 'VAT summary',
  description:
    'VAT by company, rate and currency. The period applies to the tax point: for an invoice the invoice date of the booking, for a credit note or supplier bill its own date. Sales are the posted invoices and credit notes, by line. Purchases are the supplier bills except drafts and void ones, by line if the lines state net and VAT, otherwise as a whole. `treatment` is `rated`, `none` without VAT, `mixed` if the lines of a bill do not state the rate, and `not_stated` if a bill has only a total. In the currency of the company, documents of a booking use its rate, others the rate of the issue date.',
  category: 'finance',
  feature: 'reports_finance',
  columns: {
    company: { label: 'Company', type: 'string' },
    company_id: { label: 'Company id', type: 'uuid' },
    vat_rate: { label: 'VAT, %', type: 'decimal' },
    treatment: { label: 'Treatment', type: 'string' },
    currency: { label: 'Currency', type: 'string' },
    documents: { label: 'Documents', type: 'integer' },
    net: money('Sales, net', 'money'),
    vat: money('VAT of sales', 'money'),
    gross: money('Sales, gross', 'money'),
    purchase_net: money('Purchases, net', 'cost'),
    purchase_vat: money('VAT of purchases', 'cost'),
    purchase_gross: money('Purchases, gross', 'cost'),
    vat_due: money('VAT of sales less that of purchases', 'cost'),
  },
  filters: {
    ...byIdFilter('company_id', 'Company', 'd.company_id'),
    ...byIdFilter('branch_id', 'Branch', 'd.branch_id'),
    ...byIdFilter('customer_id', 'Customer', 'd.customer_id'),
    ...byIdFilter('supplier_id', 'Supplier', 'd.supplier_id'),
    ...byCurrencyFilter('d.currency'),
  },
  dates: { by: { transaction: within('d.tax_point_on') }, window: 'this_month' },
  groupings: {
    company: { label: 'Company', key: 'company_id', name: 'company' },
    currency: { label: 'Currency', key: 'currency', name: 'currency' },
    vat_rate: { label: 'VAT, %', key: 'vat_rate', name: 'vat_rate' },
    treatment: { label: 'Treatment', key: 'treatment', name: 'treatment' },
  },
  order: [
    { column: 'company' },
    { column: 'company_id' },
    { column: 'currency' },
    { column: 'vat_rate' },
    { column: 'treatment' },
  ],
  rows,
  base: true,
}

const SALES = `
  select i.account_id, i.id, 'sell' as side, i.company_id, i.branch_id, i.booking_id, i.customer_id, null::uuid as supplier_id,
    i.tax_point_on, i.currency, i.lines, i.net, i.vat, 1 as sign, true as is_stated
  from customer_invoices i where i.account_id = $account`
/** A supplier states what it gives back with or without a minus; VAT that it does not state is what the net leaves. */
const PURCHASES = `
  select b.account_id, b.id, 'cost' as side, b.company_id, b.branch_id, b.booking_id, null::uuid as customer_id, b.supplier_id,
    b.issued_on as tax_point_on, b.currency, b.lines, coalesce(b.net_amount, b.total_amount - v.vat) as net, v.vat,
    case when b.document_type = 'credit_note' and b.total_amount > 0 then -1 else 1 end as sign,
    num_nonnulls(b.net_amount, b.vat_amount) > 0 as is_stated
  from supplier_bills b cross join lateral (select coalesce(b.vat_amount,
      case when b.withholding_amount is null then b.total_amount - b.net_amount end, 0) as vat) v
  where b.account_id = $account and b.status not in ('draft', 'void') and b.deleted_at is null`

/** The rate that a booking's lines of the currency were priced at, or that of the day. */
const RATE = `case when d.currency = d.base_currency then 1 when d.booking_id is null then k.rate else (
  select min(l.rate) from booking_lines l
  where l.account_id = d.account_id and l.booking_id = d.booking_id and l.side = d.side and l.currency = d.currency) end`

const TREATMENT = `case when l.vat_rate is null then 'none' else 'rated' end as treatment`
const INVOICE_LINES = `
  select l.vat_rate, ${TREATMENT}, l.net, l.vat from jsonb_to_recordset(d.lines) l(vat_rate numeric, net numeric, vat numeric)`
const BILL_LINES = `
  jsonb_to_recordset(d.lines) l(vat_rate numeric, net_amount numeric, vat_amount numeric)
  cross join lateral (select l.net_amount as net, l.vat_amount as vat) a`
/**
 * The lines of a bill, if they state net and VAT and add up to its own; otherwise the whole bill, at the common rate of
 * its lines.
 */
const LINES_OF_BILL = `
  with told as (
    select coalesce(bool_and(num_nulls(a.net, a.vat) = 0) and sum(a.net + a.vat) = d.net + d.vat
        and (sum(a.vat) = d.vat or not d.is_stated), false) as by_line,
      case when count(distinct l.vat_rate) = 1 and count(l.vat_rate) = count(*) and d.is_stated then min(l.vat_rate) end as only_rate
    from ${BILL_LINES})
  select l.vat_rate, ${TREATMENT}, round(a.net, currency_digits(d.currency)) as net, round(a.vat, currency_digits(d.currency)) as vat
  from told, ${BILL_LINES} where told.by_line
  union all
  select told.only_rate, case when told.only_rate is not null then 'rated' when not d.is_stated then 'not_stated'
    when d.vat = 0 then 'none' else 'mixed' end, round(d.net, currency_digits(d.currency)), round(d.vat, currency_digits(d.currency))
  from told where not told.by_line`
/** What of a document is of each rate. Each line is brought to the company's currency by itself: net and gross are rounded. */
const partsSql = (side: string, lines: string): string => `
  select d.side, d.company_id, d.currency, d.base_currency, p.vat_rate, p.treatment, d.sign * p.net as net, d.sign * p.vat as vat,
    d.sign * p.base_net as base_net, d.sign * p.base_gross as base_gross
  from rated d cross join lateral (
    select l.vat_rate, l.treatment, sum(l.net) as net, sum(l.vat) as vat, sum(${inBase('l.net', 'd')}) as base_net,
      sum(${inBase('(l.net + l.vat)', 'd')}) as base_gross
    from (${lines}) l group by 1, 2) p
  where d.side = '${side}'`

const SIDES = { '': 'sell', purchase_: 'cost' }
const SUMS = Object.entries(SIDES).flatMap(([prefix, side]) =>
  Object.entries({ net: 'net', vat: 'vat', gross: 'net + p.vat' }).map(
    ([name, sql]) => `coalesce(sum(p.${sql}) filter (where p.side = '${side}'), 0) as ${prefix}${name}`,
  ),
)
/** In the company's currency, if every rate is known; VAT is the difference of gross and net. */
const BASE_SUMS = Object.entries(SIDES).flatMap(([prefix, side]) =>
  Object.entries({ net: 'base_net', vat: 'base_gross - p.base_net', gross: 'base_gross' }).map(
    ([name, sql]) => `case when bool_and(p.base_gross is not null)
      then coalesce(sum(p.${sql}) filter (where p.side = '${side}'), 0) end as base_${prefix}${name}`,
  ),
)

function rows({ where }: ReportInput): string {
  return `
    with documents as materialized (
      select d.*, c.currency as base_currency, d.tax_point_on as rate_day
      from (${SALES} union all ${PURCHASES}) d
        join companies c on c.account_id = d.account_id and c.id = d.company_id
      where ${where}),
    ${ratesOf('(select * from documents where booking_id is null) n')},
    rated as materialized (select d.*, ${RATE} as rate, currency_digits(d.base_currency) as digits from documents d ${joinRate('d')})
    select v.*, ${companyName('v.company_id')} as company, v.vat - v.purchase_vat as vat_due, v.base_vat - v.base_purchase_vat as base_vat_due
    from (
      select p.company_id, p.currency, p.base_currency, p.vat_rate, p.treatment, count(*) as documents, ${[...SUMS, ...BASE_SUMS].join(', ')}
      from (${partsSql('sell', INVOICE_LINES)} union all ${partsSql('cost', LINES_OF_BILL)}) p group by 1, 2, 3, 4, 5
    ) v`
}
