import { demoMoney } from './amounts.ts'
import { TODAY } from './calendar.ts'
import type { Row } from './row.ts'
import type { World } from './world.ts'

/** A booking that documents can name, as its row. */
export type Booked = { readonly entity: string; readonly row: Row }
export const nameOfBooking = ({ entity, row }: Booked): Row => ({
  booking_entity: entity,
  booking_external_id: row.external_id,
})

const LONG_AGO = 150
/** The dates of a document and its payments: most of the older ones are paid. */
export function makeTerms({ random, day }: World, total: number, currency: string): Row {
  const issued = random.int(TODAY - LONG_AGO, TODAY)
  const due = issued + random.pick([0, 14, 30, 30, 60])
  const status = random.pick(
    due < TODAY
      ? ['paid', 'paid', 'paid', 'paid', 'partially_paid', 'open', 'disputed', 'void']
      : ['draft', 'open', 'open', 'open', 'partially_paid'],
  )
  const paid = status === 'paid' ? total : status === 'partially_paid' ? total * 0.4 : 0
  return {
    issued_on: day(issued),
    due_on: day(due),
    status,
    ...((paid > 0 || random.chance(0.3)) && { paid_amount: demoMoney(paid, currency) }),
  }
}
