import { type Said, type Saying, say } from '../../communications/commands/say.ts'
import { type DueTrip, readDueTrips } from './due-trips.store.ts'
import { dueValues } from './due-values.ts'
import type { Sender, SendOutcome } from './sender.ts'

/** Says by e-mail what is due: to the customer who buys the trip, or to whoever looks after it. */
export const sayDue =
  (deps: Parameters<typeof say>[1]): Sender =>
  async (tx, due) => {
    const trips = await tx.all(readDueTrips, { due: JSON.stringify(due) })
    const outcomes = new Map<string, SendOutcome>()
    for (const trip of trips) {
      const reason = pointless(trip)
      if (reason !== null) outcomes.set(trip.id, { status: 'skipped', reason })
    }
    const worth = trips.filter(({ id }) => !outcomes.has(id))
    const said = await say(tx, deps, worth.map(sayingOf))
    for (const [at, { id }] of worth.entries()) outcomes.set(id, outcomeOf(said[at] as Said))
    return outcomes
  }

/** Why there is nothing to say; null where there is. */
function pointless({ kind, flights, balance, passports }: DueTrip): string | null {
  if (kind === 'payment_due' && balance === null) return 'nothing_due'
  if (kind === 'online_check_in' && flights === null) return 'no_flights'
  if (kind === 'passport_check' && !(passports && passports.missing + passports.expiring > 0)) return 'nothing_to_check'
  return null
}

const sayingOf = (trip: DueTrip): Saying => ({
  kind: trip.kind,
  customer: trip.customer,
  seat: trip.seat,
  trip: trip.trip,
  values: (language) => dueValues(trip, language),
})

const outcomeOf = (said: Said): SendOutcome =>
  'skipped' in said ? { status: 'skipped', reason: said.skipped } : { status: 'sent', ...said }
