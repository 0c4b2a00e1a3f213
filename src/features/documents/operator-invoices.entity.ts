import { percent } from '../../catalogue/amounts.ts'
import { count } from '../../catalogue/count.ts'
import { defineEntity, pii, required } from '../../catalogue/entity.ts'
import type { Issue } from '../../catalogue/kind.ts'
import { currency, date, integer, oneOf, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { heldNames } from '../../imports/engine/held-names.ts'
import type { Importable, RowAhead, Stored } from '../../imports/importable.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { customerReference, linkedCustomer } from '../customers/reads/customer-reference.ts'
import { namesRestrictedSql } from '../customers/reads/restricted.ts'
import { linkedSupplier } from '../suppliers/reads/supplier-reference.ts'
import {
  amendDocument,
  type BookingKeys,
  balance,
  cost,
  disagrees,
  documentFields,
  STATUSES,
} from './document-fields.ts'
import { bookingIssues, findBookings } from './named-bookings.store.ts'
import { heldInvoiceNumbers } from './operator-invoices.store.ts'

const lineItems = {
  description: string(300),
  quantity: { ...integer(-1_000_000, 1_000_000), default: 1 },
  amount: cost,
  vat_rate: percent,
}

const entityOf = (bookings: BookingKeys) =>
  defineEntity({
    key: 'operator_invoices',
    label: 'Operator invoices',
    model: 'OperatorInvoice',
    scope: 'company',
    dependencyOrder: 4,
    mode: 'upsert',
    table: 'operator_invoices',
    status: 't.status',
    statusField: 'status',
    statuses: STATUSES,
    restricted: namesRestrictedSql('t', 't.customer_id'),
    summary: { customer: linkedCustomer('t.customer_id'), supplier: linkedSupplier },
    fields: {
      invoice_number: required(string(60)),
      ...documentFields,
      customer_external_id: customerReference(),
      booking_entity: { ...oneOf(...bookings), note: 'Send together with booking_external_id.' },
      booking_external_id: string(200),
      operator_reference: string(60),
      issued_on: required(date),
      due_on: date,
      departure_on: date,
      return_on: date,
      lead_passenger_name: pii(string(200)),
      pax_count: count,
      currency: required({ ...currency }),
      gross_amount: cost,
      commission_rate: { ...percent, sees: 'costs' },
      commission_amount: cost,
      commission_vat_amount: cost,
      net_amount: cost,
      vat_amount: cost,
      total_amount: required(cost),
      paid_amount: cost,
      deposit_amount: cost,
      deposit_due_on: date,
      balance_due_on: date,
      lines: list(lineItems),
      notes: string(10_000),
    },
    derived: { balance_amount: balance },
    computed: { booking_id: 'uuid' },
    sample: {
      rows: [
        {
          external_id: 'OI-10001',
          invoice_number: 'TO-2026-00117',
          supplier_external_id: 'S-501',
          customer_external_id: 'C-1001',
          booking_entity: 'hotel_stays',
          booking_external_id: 'H-9001',
          issued_on: '2026-03-05',
          due_on: '2026-04-05',
          departure_on: '2026-07-10',
          return_on: '2026-07-14',
          lead_passenger_name: 'Ayşe Yılmaz',
          pax_count: 2,
          currency: 'EUR',
          gross_amount: '745.00',
          commission_amount: '74.50',
          commission_vat_amount: '14.90',
          net_amount: '655.60',
          total_amount: '655.60',
          paid_amount: '100.00',
          status: 'partially_paid',
        },
      ],
    },
  })

/** `bookings` are the kinds of booking that an invoice can name. */
export const operatorInvoices = (bookings: BookingKeys): Importable => ({
  entity: entityOf(bookings),
  async rules(tx, rows, { source }) {
    const [bookingOf, take] = await Promise.all([
      findBookings(
        tx,
        rows.map(({ given, stored }) => ({ ...stored, ...given })),
        source,
      ),
      findHolders(tx, rows),
    ])
    const consider = (record: Values, stored: Stored | null) => {
      const { errors, warnings } = bookingIssues(record, bookingOf)
      const net = disagrees(record, 'net_amount', ['gross_amount'], ['commission_amount', 'commission_vat_amount'])
      const { taken, accept } = take(namesOf(record), stored ? namesOf(stored) : [], stored?.id ?? null)
      return { errors: [...errors, ...taken.map(() => duplicate)], warnings: [...warnings, ...net], accept }
    }
    return {
      complete: (record) => ({ columns: { booking_id: bookingOf(record) }, ...consider(record, null) }),
      amend(stored, requested) {
        const amendment = amendDocument(stored, requested)
        const record = { ...stored, ...requested }
        const booking = bookingOf(record) ?? (isNamed(requested) ? null : stored.booking_id)
        const changes = booking === stored.booking_id ? requested : { ...requested, booking_id: booking }
        if (Object.keys(changes).length === 0 && !stored.deleted) return amendment
        const found = consider(record, stored)
        return { ...found, changes, errors: [...(amendment.errors ?? []), ...found.errors] }
      },
    }
  },
})

/**
 * Whether a row names another booking. A booking that is imported after its invoice is linked when the invoice is sent
 * again.
 */
const isNamed = (requested: Values): boolean => 'booking_entity' in requested || 'booking_external_id' in requested

/** A number is unique by supplier among the invoices that are not void. */
async function findHolders(tx: AccountTx, rows: readonly RowAhead[]): Promise<ReturnType<typeof heldNames>> {
  const numbers = new Set(
    rows.flatMap(({ given, stored }) => [given.invoice_number, stored?.invoice_number].filter(isText)),
  )
  const found = numbers.size === 0 ? [] : await tx.all(heldInvoiceNumbers, { numbers: [...numbers] })
  return heldNames(found.map((invoice) => [keyOf(invoice), invoice.id]))
}
const namesOf = (invoice: Values): string[] => (invoice.status === 'void' ? [] : [keyOf(invoice)])
const keyOf = ({ supplier_id, invoice_number }: Values) => `${supplier_id} ${invoice_number}`
const duplicate: Issue = {
  at: 'invoice_number',
  code: 'duplicate_number',
  message: 'Another invoice of this supplier already has this number.',
}
const isText = (value: unknown): value is string => typeof value === 'string'
