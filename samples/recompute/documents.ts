import { currencyDigits, type Fixed, fixed, round } from '../../src/platform/money.ts'
import type { Booking, Fed } from './bookings.ts'
import type { Raw } from './books.ts'
import { once } from './recomputed.ts'

export const money = (cell: unknown): Fixed => fixed(typeof cell === 'string' ? cell : '0')
export const maybeMoney = (cell: unknown): Fixed | null => (typeof cell === 'string' ? fixed(cell) : null)
/** Rounded to the digits of the currency, since carried amounts may have more. */
export const inDigits = (amount: Fixed, currency: string): Fixed => round(amount, currencyDigits(currency))
export const absolute = (amount: Fixed): Fixed => (amount < 0n ? -amount : amount)
export const text = (cell: unknown): string | null => (typeof cell === 'string' ? cell : null)

type Payment = { readonly id: string; readonly amount: Fixed; readonly paidOn: string }
type InvoiceLine = {
  readonly net: string
  readonly vat: string
  readonly gross: string
  readonly vat_rate: string | null
}
/** A posted invoice or credit note. */
export type Invoice = {
  readonly id: string
  readonly number: string
  readonly type: string
  readonly reverses: string | null
  readonly booking: Booking | null
  readonly bookingId: string
  readonly company_id: string
  readonly branch_id: string | null
  readonly customer: { readonly id: string; readonly name: string | null }
  readonly currency: string
  readonly issuedOn: string
  readonly dueOn: string
  readonly taxPointOn: string
  readonly net: Fixed
  readonly vat: Fixed
  readonly gross: Fixed
  readonly lines: readonly InvoiceLine[]
  readonly payments: readonly Payment[]
}

export const invoicesOf = once(({ tables, feed, bookings }): Invoice[] => {
  const customers = new Map(feed.customers.map(({ id, name }) => [id, text(name)]))
  const paid = Map.groupBy(tables.customer_payments, ({ invoice_id }) => invoice_id)
  return tables.customer_invoices.map(
    (row): Invoice => ({
      id: String(row.id),
      number: String(row.number),
      type: String(row.document_type),
      reverses: row.reverses_id ?? null,
      booking: bookings.get(String(row.booking_id)) ?? null,
      bookingId: String(row.booking_id),
      company_id: String(row.company_id),
      branch_id: row.branch_id ?? null,
      customer: { id: String(row.customer_id), name: customers.get(String(row.customer_id)) ?? null },
      currency: String(row.currency),
      issuedOn: String(row.issued_on),
      dueOn: String(row.due_on),
      taxPointOn: String(row.tax_point_on),
      net: money(row.net),
      vat: money(row.vat),
      gross: money(row.gross),
      lines: JSON.parse(String(row.lines)),
      payments: (paid.get(String(row.id)) ?? []).map(paymentOf),
    }),
  )
})
const paymentOf = ({ id, amount, paid_on }: Raw): Payment => ({
  id: String(id),
  amount: money(amount),
  paidOn: String(paid_on),
})

export type DocumentLine = Readonly<Record<string, unknown>>
/** A supplier bill or an operator’s invoice, with the booking that it is of. */
export type Payable = Fed & {
  readonly kind: 'supplier_bill' | 'operator_invoice'
  readonly number: string
  readonly booking: Booking | null
  readonly issued_on: string
  readonly due_on: string | null
  readonly document_type: string
  readonly lines: readonly DocumentLine[] | null
}

export const payablesOf = once(({ feed, tables, bookings }): Payable[] => {
  const postedFor = new Map(tables.supplier_bills.map(({ id, booking_id }) => [id, booking_id]))
  const byName = new Map(
    [...bookings.values()].map((booking) => [nameOf(booking, booking.entity, booking.external_id), booking]),
  )
  const bills = feed.supplier_bills.map(
    (bill): Payable => ({
      ...(bill as Payable),
      kind: 'supplier_bill',
      number: String(bill.bill_number),
      booking: bookings.get(postedFor.get(bill.id) ?? '') ?? null,
    }),
  )
  const operators = feed.operator_invoices.map(
    (invoice): Payable => ({
      ...(invoice as Payable),
      kind: 'operator_invoice',
      number: String(invoice.invoice_number),
      booking: byName.get(nameOf(invoice, invoice.booking_entity, invoice.booking_external_id)) ?? null,
    }),
  )
  return [...bills, ...operators]
})
const nameOf = ({ source_system }: Pick<Fed, 'source_system'>, entity: unknown, id: unknown): string =>
  `${source_system} ${entity} ${id}`
