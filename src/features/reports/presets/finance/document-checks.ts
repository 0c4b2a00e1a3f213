import { IS_FIRM } from '../../booking-filters.ts'
import type { Sensitive } from '../../preset.ts'
import { elementsOf } from './ticket-refunds.ts'

/** Something that is wrong with the books. */
export type Check = {
  readonly reason: string
  /** The problem, with what to do. */
  readonly explanation: string
  /** A finding is itself the secret, beyond the presence of the report: roles that lack this do not get it. */
  readonly presence?: Sensitive
  /** The records that it is about: a family, and SQL of the condition over its tables. */
  readonly family: Family
  readonly where: string
  /** SQL of the stated and of the expected value. */
  readonly amount?: string
  readonly expected?: string
}

/** Checked records: SQL of the columns shown by all checks, and of their source. */
type Family = { readonly document: string; readonly columns: string; readonly from: string; readonly where: string }

const BOOKED = 'b.assigned_to_id as advisor_id, b.external_id as booking, b.entity'
const BOOKINGS: Family = {
  document: 'booking',
  columns: `b.id as record_id, b.transaction_date as day, b.external_id as number, b.company_id, b.branch_id, b.customer_id,
    b.supplier_id, b.currency, ${BOOKED}`,
  from: 'bookings b',
  where: 'b.account_id = $account and b.deleted_at is null',
}
const INVOICES: Family = {
  document: 'customer_invoice',
  columns: `i.id as record_id, i.issued_on as day, i.number, i.company_id, i.branch_id, i.customer_id, b.supplier_id, i.currency, ${BOOKED}`,
  from: `customer_invoices i join bookings b on b.account_id = i.account_id and b.id = i.booking_id
    left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id
    cross join lateral (select coalesce(sum(p.amount), 0) as amount from customer_payments p
      where p.account_id = i.account_id and p.invoice_id in (i.id, n.id)) paid`,
  where: 'i.account_id = $account',
}
const supplierDocument = (document: string, table: string, number: string): Family => ({
  document,
  columns: `d.id as record_id, d.issued_on as day, d.${number} as number, d.company_id, d.branch_id, b.customer_id, d.supplier_id,
    d.currency, ${BOOKED}`,
  from: `${table} d left join bookings b on b.account_id = d.account_id and b.id = d.booking_id`,
  where: `d.account_id = $account and d.deleted_at is null and d.status <> 'void'`,
})
const BILLS = supplierDocument('supplier_bill', 'supplier_bills', 'bill_number')
const OPERATORS = supplierDocument('operator_invoice', 'operator_invoices', 'invoice_number')
const TAKEN_BACK = `(b.deleted_at is not null or b.status in ('void', 'refunded', 'cancelled'))`

const BOOKING_CHECKS: readonly Check[] = [
  {
    reason: 'no_customer',
    explanation: 'The booking has an invoice date but no customer, so it was not invoiced.',
    family: BOOKINGS,
    where: `b.invoice_date <= $today::date and not b.invoiced and ${IS_FIRM}`,
  },
  {
    reason: 'not_invoiced',
    explanation: 'The journey has begun, but the booking has no invoice date.',
    family: BOOKINGS,
    where: `b.invoice_date is null and b.travels_on < $today::date and ${IS_FIRM}`,
  },
  {
    reason: 'no_supplier',
    explanation: 'The booking is invoiced and has a cost, but no supplier.',
    presence: 'cost',
    family: BOOKINGS,
    where: `b.invoiced and b.supplier_id is null and b.cost_total is distinct from 0 and ${IS_FIRM}`,
    amount: 'b.cost_total',
  },
  {
    reason: 'no_cost',
    explanation: 'The booking is sold but has no cost.',
    presence: 'cost',
    family: BOOKINGS,
    where: `b.sell_total <> 0 and b.cost_total = 0 and ${IS_FIRM}`,
    amount: 'b.sell_total',
  },
  {
    reason: 'no_price',
    explanation: 'The booking has a cost but no sell price.',
    presence: 'cost',
    family: BOOKINGS,
    where: `b.sell_total = 0 and b.cost_total <> 0 and ${IS_FIRM}`,
    amount: 'b.cost_total',
  },
  {
    reason: 'below_cost',
    explanation: 'The booking is sold below cost.',
    presence: 'cost',
    family: BOOKINGS,
    where: `b.margin_total < 0 and b.sell_total <> 0 and ${IS_FIRM}`,
    amount: 'b.sell_total - b.vat_total',
    expected: 'b.sell_total - b.vat_total - b.margin_total',
  },
  {
    reason: 'rate_missing',
    explanation: 'An exchange rate is missing on the transaction date, so totals are missing.',
    family: BOOKINGS,
    where: `num_nulls(b.sell_total, b.company_sell) > 0 and ${IS_FIRM}`,
  },
]

const sumOf = (name: string): string => `coalesce(sum((l ->> '${name}')::numeric), 0)`
const SOLD = `(select coalesce(sum(l.gross), 0) from booking_lines l
  where l.account_id = i.account_id and l.booking_id = i.booking_id and l.side = 'sell' and l.currency = i.currency)`
const IS_INVOICE = `i.document_type = 'invoice'`
const INVOICE_CHECKS: readonly Check[] = [
  {
    reason: 'lines_differ',
    explanation: 'The lines do not add up to the total.',
    family: INVOICES,
    where: `(i.net, i.vat, i.gross) <> (select ${['net', 'vat', 'gross'].map(sumOf).join(', ')} from jsonb_array_elements(i.lines) l)`,
    amount: 'i.gross',
    expected: `(select ${sumOf('gross')} from jsonb_array_elements(i.lines) l)`,
  },
  {
    reason: 'sale_taken_back',
    explanation: 'The booking was cancelled, voided or refunded, but the invoice was not reversed.',
    family: INVOICES,
    where: `${IS_INVOICE} and n.id is null and ${TAKEN_BACK}`,
    amount: 'i.gross',
  },
  {
    reason: 'sale_differs',
    explanation: 'The sell total of the booking differs from the invoice.',
    family: INVOICES,
    where: `${IS_INVOICE} and n.id is null and not ${TAKEN_BACK} and i.gross <> ${SOLD}`,
    amount: 'i.gross',
    expected: SOLD,
  },
  {
    reason: 'customer_is_owed',
    explanation: 'The invoice is overpaid. Refund the difference, or assign the payment to another invoice.',
    family: INVOICES,
    where: `${IS_INVOICE} and (i.gross + coalesce(n.gross, 0) - paid.amount) * case when i.gross < 0 then -1 else 1 end < 0`,
    amount: 'paid.amount',
    expected: 'i.gross + coalesce(n.gross, 0)',
  },
]

/** The supplier's commission on a document, without its sign. */
const paymentChecks = (family: Family): readonly Check[] => [
  {
    reason: 'overpaid',
    explanation: 'The paid amount exceeds the total.',
    presence: 'cost',
    family,
    where: 'abs(d.paid_amount) > abs(d.total_amount)',
    amount: 'd.paid_amount',
    expected: 'd.total_amount',
  },
  {
    reason: 'paid_with_rest',
    explanation: 'The status is paid, but the paid amount is less than the total.',
    presence: 'cost',
    family,
    where: `d.status = 'paid' and abs(d.paid_amount) < abs(d.total_amount)`,
    amount: 'd.paid_amount',
    expected: 'd.total_amount',
  },
  {
    reason: 'open_without_rest',
    explanation: 'The total is paid, but the status is not paid.',
    presence: 'cost',
    family,
    where: `d.status <> 'paid' and d.total_amount <> 0 and abs(d.paid_amount) = abs(d.total_amount)`,
    amount: 'd.paid_amount',
    expected: 'd.total_amount',
  },
]

const LINES = `(select coalesce(sum(round((l ->> 'amount')::numeric * (l ->> 'quantity')::numeric, currency_digits(d.currency))), 0)
  from ${elementsOf('d.lines')} l)`
const STATED = `(select coalesce(sum((l ->> 'total_amount')::numeric), 0)
  from ${elementsOf('d.lines')} l)`
const BILL_CHECKS: readonly Check[] = [
  ...paymentChecks(BILLS),
  {
    reason: 'parts_differ',
    explanation: 'Net and VAT do not add up to the total, with or without withholding.',
    presence: 'cost',
    family: BILLS,
    where: `d.net_amount + d.vat_amount not in (d.total_amount, d.total_amount + coalesce(d.withholding_amount, 0))`,
    amount: 'd.total_amount',
    expected: 'd.net_amount + d.vat_amount',
  },
  {
    reason: 'lines_differ',
    explanation: 'The lines add up neither to the total nor to the net amount.',
    presence: 'cost',
    family: BILLS,
    where: `jsonb_array_length(d.lines) > 0 and ${LINES} not in (d.total_amount, coalesce(d.net_amount, d.total_amount))
      and ${STATED} <> d.total_amount`,
    amount: 'd.total_amount',
    expected: LINES,
  },
  {
    reason: 'sale_taken_back',
    explanation: 'The booking was cancelled, voided or refunded, but the bill was not voided.',
    family: BILLS,
    where: `d.booking_id is not null and ${TAKEN_BACK}`,
  },
]

const BILL_OF_BOOKING = `(select sum(s.total_amount) from supplier_bills s where s.account_id = d.account_id
  and s.booking_id = d.booking_id and s.currency = d.currency and s.status <> 'void' and s.deleted_at is null)`
const OPERATOR_CHECKS: readonly Check[] = [
  ...paymentChecks(OPERATORS),
  {
    reason: 'parts_differ',
    explanation: 'Gross minus commission and its VAT is not the net amount.',
    presence: 'cost',
    family: OPERATORS,
    where: 'd.net_amount <> d.gross_amount - d.commission_amount - d.commission_vat_amount',
    amount: 'd.net_amount',
    expected: 'd.gross_amount - d.commission_amount - d.commission_vat_amount',
  },
  {
    reason: 'owed_twice',
    explanation: 'The booking also has a supplier bill.',
    presence: 'cost',
    family: OPERATORS,
    where: `d.document_type = 'invoice' and ${BILL_OF_BOOKING} is not null`,
    amount: 'd.total_amount',
    expected: BILL_OF_BOOKING,
  },
]

/** What a controller looks for. */
export const CHECKS: readonly Check[] = [...BOOKING_CHECKS, ...INVOICE_CHECKS, ...BILL_CHECKS, ...OPERATOR_CHECKS]
export const REASONS: readonly string[] = [...new Set(CHECKS.map(({ reason }) => reason))]
/** The reasons of which every finding needs the presence `cost`. */
export const COSTLY_REASONS: Readonly<Record<string, Sensitive>> = Object.fromEntries(
  REASONS.filter((name) => CHECKS.every(({ reason, presence }) => reason !== name || presence === 'cost')).map(
    (name) => [name, 'cost'],
  ),
)
export const DOCUMENTS: readonly string[] = [...new Set(CHECKS.map(({ family }) => family.document))]

/** SQL of the records that checks find, in one pass over each family. */
export const findingsSql = (checks: readonly Check[]): string =>
  [...Map.groupBy(checks, ({ family }) => family)].map(([family, own]) => familySql(family, own)).join(' union all ')

function familySql(family: Family, own: readonly Check[]): string {
  const values = own.map(({ reason, explanation, where }) => `('${reason}', '${explanation}', ${where})`)
  const byReason = (part: 'amount' | 'expected') =>
    own.map((check) => `when '${check.reason}' then ${check[part] ?? 'null::numeric'}`).join(' ')
  return `
    select k.reason, k.explanation, '${family.document}' as document, ${family.columns},
      case k.reason ${byReason('amount')} end as amount, case k.reason ${byReason('expected')} end as expected
    from ${family.from} cross join lateral (values ${values.join(', ')}) k(reason, explanation, is_so)
    where ${family.where} and k.is_so`
}
