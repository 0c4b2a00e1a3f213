import { BUILT_IN_ROLES, type Policies } from '../../../platform/access/policies.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { listTrips, readWholeDays } from '../trips.store.ts'
import { TRIP_SCOPES } from './trip-scopes.ts'
import { TRIP_STATUSES } from './trip-status.ts'
import { readTripText } from './trip-text.ts'

/** Database commands have the policies of an owner. */
const OPERATOR = BUILT_IN_ROLES.owner as Policies

/** The sort orders of lists. */
export const ASKED_BY = { status: TRIP_STATUSES, scope: Object.keys(TRIP_SCOPES) }
export type AskedTrips = Parameters<typeof listTrips>[3]

type Person = { readonly name: string | null } | null
export type TripRow = {
  readonly id: string
  readonly reference_number: string
  readonly title: string
  readonly status: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly primary_customer: Person
  readonly assigned_advisor: Person
}
type SegmentRow = {
  readonly id: string
  readonly segment_type: string
  readonly status: string
  readonly title: string | null
  readonly start_time: string | null
}
export type WholeTrip = TripRow & {
  readonly days: readonly {
    readonly day_number: number
    readonly date: string | null
    readonly title: string | null
    readonly segments: readonly SegmentRow[]
  }[]
}

/** Trips as the API lists them. */
export async function tripRows(reader: AccountReader, limit: number, asked: AskedTrips): Promise<TripRow[]> {
  const found = await listTrips(reader, OPERATOR, { limit, after: null }, asked)
  return found ? JSON.parse(found.items) : []
}

/** A trip with its days and what happens on them. */
export async function wholeTrip(reader: AccountReader, id: string): Promise<WholeTrip> {
  const [trip, days] = await Promise.all([
    readTripText(reader, OPERATOR, id),
    reader.all(readWholeDays(OPERATOR), { trip: id }),
  ])
  return { ...JSON.parse(trip ?? '{}'), days: days.map(({ item }) => JSON.parse(item)) }
}
