import { defineEntity } from '../../catalogue/entity.ts'
import { oneOf } from '../../catalogue/kinds.ts'
import type { Fields } from '../../catalogue/read-cells.ts'
import type { Rules, RulesFor, WrittenRecord } from '../../imports/importable.ts'
import { keepTravelers } from '../customers/commands/keep-travelers.ts'
import { linkedCustomer } from '../customers/reads/customer-reference.ts'
import { namesRestrictedSql } from '../customers/reads/restricted.ts'
import { postInvoices } from '../documents/commands/post-invoices.ts'
import { reverseInvoices } from '../documents/commands/reverse-invoices.ts'
import { linkedSupplier } from '../suppliers/reads/supplier-reference.ts'
import { amendBooking, priceIn } from './amend-booking.ts'
import { anchorRates } from './anchor-rates.ts'
import { BOOKING_COLUMNS, BOOKING_MARKS, bookingFields, LINE_COLUMNS } from './booking-fields.ts'
import type { BookingKind } from './booking-kind.ts'
import { bookingsThatStay, dropLines } from './bookings.store.ts'
import { makeBooking } from './make-booking.ts'
import { asPriced, priceAgain } from './price-again.ts'
import { CANCELLED } from './status.ts'
import type { Vertical } from './vertical.ts'

const inDraft = () => 'draft'

/** A vertical: a booking type with its own fields and statuses. Its table is named after its key. */
export function defineBooking(vertical: Vertical): BookingKind {
  const { moves, statuses, opening = inDraft, without = [], priceFields = [], ...other } = vertical
  const { priceFrom = [], rules, afterWrite, release, fields, travelersIn = 'travelers', travel, ...rest } = other
  const taken: Fields = Object.fromEntries(
    Object.entries(bookingFields).filter(([name]) => !without.includes(name as keyof typeof bookingFields)),
  )
  const entity = defineEntity({
    ...rest,
    scope: 'company',
    mode: 'create_once',
    table: rest.key,
    base: { table: 'bookings', fields: ['status', ...Object.keys(taken)] },
    status: 't.status',
    statusField: 'status',
    statuses,
    summary: {
      customer: linkedCustomer('t.customer_id'),
      supplier: linkedSupplier,
      totals: { sell: 't.sell_total', cost: 't.cost_total', margin: 't.margin_total', vat: 't.vat_total' },
      companyTotals: {
        currency: 't.company_currency',
        sell: 't.company_sell',
        cost: 't.company_cost',
        margin: 't.company_margin',
        vat: 't.company_vat',
      },
      invoiced: 't.invoiced',
      cancelledAt: 't.cancelled_at',
    },
    fields: {
      ...fields,
      status: { ...oneOf(...statuses), ...(opening === inDraft && { default: 'draft' }) },
      ...taken,
    },
    computed: BOOKING_COLUMNS,
    computedMarks: BOOKING_MARKS,
    restricted: namesRestrictedSql('t', 't.customer_id'),
    child: { table: 'booking_lines', owner: 'booking_id', columns: LINE_COLUMNS },
  })
  const rulesFor =
    (byHand?: true): RulesFor =>
    async (tx, rows, context) => {
      const [rates, own] = await Promise.all([
        anchorRates(tx, entity.fields, rows, context),
        rules?.(tx, rows, context) ?? {},
      ])
      const making = { own, rates, travel, context }
      const amending = {
        moves,
        opening,
        priceFrom: [...priceFrom, 'transaction_date'],
        priceFields,
        fields: entity.fields,
        own,
        travel,
        context,
        ...(byHand && { byHand }),
      }
      return {
        complete: (record, id) => makeBooking(making, { ...record, status: record.status ?? opening(record) }, id),
        amend: (stored, changes) => amendBooking(amending, stored, changes),
      }
    }
  return {
    entity,
    moves,
    priceIn: priceIn(entity.fields, priceFields),
    async pricing(tx, rows, context): Promise<Rules> {
      const [rates, own] = await Promise.all([
        anchorRates(tx, entity.fields, rows.map(asPriced), context),
        rules?.(tx, rows, context) ?? {},
      ])
      const making = { own, rates, travel, context }
      return {
        amend: (stored, changes) =>
          priceAgain(making, stored, changes, () => tx.later(dropLines, { booking: stored.id })),
      }
    },
    rules: rulesFor(),
    moving: rulesFor(true),
    async afterWrite(tx, written, { today }) {
      await keepTravelers(tx, written, travelersIn)
      await afterWrite?.(tx, written)
      postInvoices(tx, written.filter(({ values, before }) => values.invoiced && !before?.invoiced).map(idOf), today)
      reverseInvoices(
        tx,
        written.filter(({ values, before }) => before?.invoiced && values.status === CANCELLED).map(idOf),
        today,
      )
    },
    revert: { stays: bookingsThatStay, ...(release && { afterDelete: release }) },
  }
}

const idOf = ({ id }: WrittenRecord) => id
