import { type AutomatedMessage, type SendResult, sendAutomated } from '../communications/commands/send-automated.ts'
import { type Invitation, keepInvitations, prepareInvitations } from '../surveys/commands/invite.ts'
import { type DueTrip, readDueTrips } from './due-trips.store.ts'
import { dueValues } from './due-values.ts'
import type { Sender, SendOutcome } from './sender.ts'

/** Sends due notifications by e-mail to the customer of the trip, or to its advisor. */
export const sendDueNotifications =
  (deps: Parameters<typeof sendAutomated>[1] & Parameters<typeof prepareInvitations>[1]): Sender =>
  async (tx, due) => {
    const trips = await tx.all(readDueTrips, { due: JSON.stringify(due) })
    const outcomes = new Map<string, SendOutcome>()
    const invitations = await prepareInvitations(tx, deps, trips.flatMap(askedOf))
    for (const trip of trips) {
      const reason = reasonNotToSend(trip) ?? refusalOf(invitations.get(trip.id))
      if (reason !== null) outcomes.set(trip.id, { status: 'skipped', reason })
    }
    const toSend = trips.filter(({ id }) => !outcomes.has(id))
    const results = await sendAutomated(
      tx,
      deps,
      toSend.map((trip) => messageOf(trip, invitations.get(trip.id))),
    )
    for (const [at, { id }] of toSend.entries()) outcomes.set(id, outcomeOf(results[at] as SendResult))
    keepInvitations(
      tx,
      [...invitations].flatMap(([id, invitation]) => (outcomes.get(id)?.status === 'sent' ? [invitation] : [])),
    )
    return outcomes
  }

/** Why nothing is sent; null if it is. */
function reasonNotToSend({ kind, flights, balance, passports, next }: DueTrip): string | null {
  if (kind === 'payment_due' && balance === null) return 'nothing_due'
  if (kind === 'online_check_in' && flights === null) return 'no_flights'
  if (kind === 'passport_check' && !(passports && passports.missing + passports.expiring > 0)) return 'nothing_to_check'
  return next
}

/** The customer who is asked to rate the trip. */
const askedOf = ({ id, kind, trip, customer }: DueTrip) =>
  kind === 'survey' && customer !== null ? [{ id, trip, customer }] : []
const refusalOf = (invitation: Invitation | undefined): string | null =>
  invitation && 'refused' in invitation ? invitation.refused : null

const messageOf = (trip: DueTrip, invitation: Invitation | undefined): AutomatedMessage => ({
  kind: trip.kind,
  customer: trip.customer,
  seat: trip.seat,
  trip: trip.trip,
  values: (language) => ({
    ...dueValues(trip, language),
    'survey.link': invitation && 'link' in invitation ? invitation.link : null,
  }),
})

const outcomeOf = (result: SendResult): SendOutcome =>
  'skipped' in result ? { status: 'skipped', reason: result.skipped } : { status: 'sent', ...result }
