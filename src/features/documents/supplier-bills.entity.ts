import { percent } from '../../catalogue/amounts.ts'
import { defineEntity, required } from '../../catalogue/entity.ts'
import { currency, date, integer, oneOf, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Importable } from '../../imports/importable.ts'
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
import { type BookingOf, bookingIssues, findBookings } from './named-bookings.store.ts'

const lineItems = (bookings: BookingKeys) => ({
  description: string(300),
  quantity: { ...integer(-1_000_000, 1_000_000), default: 1 },
  amount: { ...cost, note: 'Amount of one unit.' },
  vat_rate: percent,
  net_amount: cost,
  vat_amount: cost,
  total_amount: cost,
  booking_entity: { ...oneOf(...bookings), note: 'Send together with booking_external_id.' },
  booking_external_id: string(200),
})

const entityOf = (bookings: BookingKeys) =>
  defineEntity({
    key: 'supplier_bills',
    label: 'Supplier bills',
    model: 'SupplierBill',
    scope: 'company',
    dependencyOrder: 4,
    mode: 'upsert',
    table: 'supplier_bills',
    status: 't.status',
    statusField: 'status',
    statuses: STATUSES,
    summary: { supplier: linkedSupplier },
    fields: {
      bill_number: required(string(60)),
      ...documentFields,
      issued_on: required(date),
      due_on: date,
      received_on: date,
      currency: required({ ...currency }),
      net_amount: cost,
      vat_amount: cost,
      withholding_amount: cost,
      total_amount: required(cost),
      paid_amount: cost,
      lines: list(lineItems(bookings)),
      notes: string(10_000),
    },
    derived: { balance_amount: balance },
    sample: {
      rows: [
        {
          external_id: 'SB-11001',
          bill_number: 'GER-4471',
          supplier_external_id: 'S-501',
          issued_on: '2026-03-06',
          due_on: '2026-04-06',
          received_on: '2026-03-08',
          currency: 'EUR',
          net_amount: '509.09',
          vat_amount: '50.91',
          total_amount: '560.00',
          paid_amount: '0.00',
          status: 'open',
          lines: [
            {
              description: 'Double room, 4 nights',
              quantity: 4,
              amount: '140.00',
              vat_rate: '10',
              booking_entity: 'hotel_stays',
              booking_external_id: 'H-9001',
            },
          ],
        },
      ],
    },
  })

/** `bookings` are the kinds of booking that a line can name. */
export const supplierBills = (bookings: BookingKeys): Importable => ({
  entity: entityOf(bookings),
  async rules(tx, rows, { source }) {
    const bookingOf = await findBookings(
      tx,
      rows.flatMap(({ given }) => linesOf(given)),
      source,
    )
    return {
      complete: (record) => consider(record, bookingOf),
      amend(stored, changes) {
        const amendment = amendDocument(stored, changes)
        if (Object.keys(changes).length === 0) return amendment
        const found = consider({ ...stored, ...changes }, bookingOf, 'lines' in changes)
        return { ...found, changes, errors: [...(amendment.errors ?? []), ...found.errors] }
      },
    }
  },
})

const linesOf = ({ lines }: Values) => (Array.isArray(lines) ? (lines as Values[]) : [])

function consider(record: Values, bookingOf: BookingOf, withLines = true) {
  const issues = withLines ? linesOf(record).map((line, at) => bookingIssues(line, bookingOf, `lines[${at}].`)) : []
  const sum = disagrees(record, 'total_amount', ['net_amount', 'vat_amount'], [])
  const withheld = disagrees(record, 'total_amount', ['net_amount', 'vat_amount'], ['withholding_amount'])
  // Suppliers state the total before or after the tax that is withheld.
  const total = sum.length > 0 && (record.withholding_amount === null || withheld.length > 0) ? sum : []
  return {
    errors: issues.flatMap(({ errors }) => errors),
    warnings: [...issues.flatMap(({ warnings }) => warnings), ...total],
  }
}
