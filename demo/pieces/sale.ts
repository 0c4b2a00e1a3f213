import { NOTES, SEATS } from '../vocabulary.ts'
import { TODAY } from './calendar.ts'
import type { Row } from './row.ts'
import type { Customer, Supplier, World } from './world.ts'

/** The possible states of a booking before, during and after its trip, weighted by likelihood. */
export type Lifecycle = {
  readonly before: readonly string[]
  readonly during: readonly string[]
  readonly after: readonly string[]
}
/** The states of a service that takes place. */
export const SERVICE: Lifecycle = {
  before: ['draft', 'option', 'confirmed', 'confirmed', 'confirmed', 'cancelled'],
  during: ['in_progress', 'in_progress', 'in_progress', 'confirmed'],
  after: ['completed', 'completed', 'completed', 'completed', 'completed', 'no_show', 'cancelled'],
}
const NOT_FIRM = ['draft', 'option', 'cancelled', 'void', 'refunded']

export type Trip = { readonly from: number; readonly to: number }
export type Sale = {
  readonly customer: Customer
  readonly status: string
  /** The day of the year on which it was sold. */
  readonly sold: number
  /** The customer, the supplier and the responsible seat. */
  readonly parties: Row
  /** Dates of sale and invoice, and notes. */
  readonly terms: Row
}

/** What every booking has, as it fits a trip on the day that the agency is looked at. */
export function makeSale(
  world: World,
  supplier: Supplier,
  { from, to }: Trip,
  { before, during, after }: Lifecycle,
  customer: Customer = world.random.pick(world.customers),
): Sale {
  const { random, day } = world
  const sold = Math.min(from - random.int(3, 120), TODAY - random.int(0, 20))
  const status = random.pick(to < TODAY ? after : from <= TODAY ? during : before)
  const invoiced = !NOT_FIRM.includes(status) && random.chance(0.5)
  return {
    customer,
    status,
    sold,
    parties: {
      customer_external_id: byKey(random.chance(0.9), customer.row, 'email'),
      supplier_external_id: byKey(random.chance(0.85), supplier.row, 'code'),
      assigned_to_email: random.chance(0.1) ? random.pick(COLLEAGUES) : undefined,
    },
    terms: {
      transaction_date: day(sold),
      option_date: status === 'option' ? day(Math.min(from - 1, TODAY + random.int(1, 10))) : undefined,
      invoice_date: invoiced ? day(Math.min(sold + random.int(0, 5), TODAY)) : undefined,
      balance_due_on: status === 'confirmed' && random.chance(0.3) ? day(from - random.int(7, 30)) : undefined,
      notes: random.chance(0.15) ? random.pick(NOTES) : undefined,
    },
  }
}

const COLLEAGUES = [...Object.values(SEATS).map(({ email }) => email), 'stajyer@egeyollari.example']
/** Records are mostly named by their external ids, sometimes by another key that they have. */
const byKey = (external: boolean, row: Row, other: string) =>
  external ? row.external_id : (row[other] ?? row.external_id)
