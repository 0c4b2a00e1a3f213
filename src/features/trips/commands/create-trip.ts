import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { spanRefused } from '../reads/trip-span.ts'
import { openTrip } from './open-trip.ts'
import { refuseUnknownCustomer } from './refuse-unknown.ts'
import { changeTrip, readTrip } from './update-trip.ts'

/** Creates a trip of a customer, by default in planning. Returns its id. */
export async function createTrip(
  tx: AccountTx,
  desk: FoundDesk,
  customer: string,
  given: Record<string, unknown>,
  reasons = new Reasons(),
): Promise<string> {
  const read = readTrip(desk, given, reasons)
  reasons.add(...spanRefused('end_date', read.start_date ?? null, read.end_date ?? null))
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  if (!reasons.has('customer_id')) await refuseUnknownCustomer(tx, 'customer_id', customer, reasons)
  await refuseUnknownSeat(tx, 'assigned_advisor_id', read.assigned_advisor_id, reasons)
  reasons.refuse()
  const trip = await openTrip(tx, {
    company: desk.company,
    branch: desk.branch,
    customer,
    title: read.title ?? null,
    type: read.trip_type ?? null,
    start: read.start_date ?? null,
    end: read.end_date ?? null,
    destinations: read.destinations ?? [],
    currency: read.primary_currency ?? desk.currency,
    advisor: read.assigned_advisor_id ?? null,
  })
  await changeTrip(tx, desk, trip, given) // attributes that a conversion does not set
  return trip
}
