import Type from 'typebox'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountReader, AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { maybe, Uuid } from '../../../platform/http/shapes.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { addTraveler } from '../commands/add-traveler.ts'
import { changeTraveler, removeTraveler } from '../commands/update-traveler.ts'
import { ofTrip } from '../reads/trip-route.ts'
import { editTrip, rowToEdit } from './edit-trip.ts'
import { readEditedTraveler } from './edited.store.ts'
import { EditedTraveler } from './edited.view.ts'
import { EDITING, ofPart, Removed, removed, shownTo, undoable, VersionRead, withUndo } from './route-parts.ts'

const ofTraveler = ofPart('traveler_id', 'traveller')
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Customer = Type.Optional({ ...maybe(Uuid), description: 'The customer who travels.' })
const Lead = Type.Optional(Type.Boolean({ description: 'One of the travellers of a trip is the lead.' }))

const travelerText = async (reader: AccountReader, { policies }: Actor, trip: string, id: string) =>
  shownTo(policies, await reader.one(readEditedTraveler(policies), { trip, id }), 'traveller')

/** Changes a traveller, if it still is what the editor read. */
function onTraveler(
  tx: AccountTx,
  actor: Actor,
  action: `trip.${string}`,
  { id: trip, traveler_id: id }: { readonly id: string; readonly traveler_id: string },
  version: number,
  work: () => Promise<void>,
) {
  takeChangeNumber(tx) // before the trip is locked, as everywhere
  return editTrip(tx, trip, action, async (rows) => {
    await rowToEdit(rows, 'trip_travelers', { id, version }, () => travelerText(tx, actor, trip, id))
    await work()
  })
}

/** A name that the role does not see cannot be changed: it may be anybody's. */
async function refuseHiddenName(tx: AccountTx, actor: Actor, trip: string, id: string): Promise<void> {
  const { name } = JSON.parse(await travelerText(tx, actor, trip, id)) as { name: string | null }
  if (!actor.policies.has('view_personal_data') || (name === null && !actor.policies.has('view_restricted_customers')))
    refuseAttributes([['name', 'Your role does not see this attribute, so it cannot change it. Leave it out.']])
}

export const travelerEditRoutes: readonly Route[] = [
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/travelers',
    summary: 'Add a traveller to a trip',
    description: 'A customer, a person of a traveller directory, or a name: at least one of them.',
    takes: {
      ...ofTrip,
      body: Type.Object({
        traveler: Type.Object({
          customer_id: Customer,
          traveler_id: Type.Optional({ ...maybe(Uuid), description: 'The entry of a traveller directory.' }),
          name: Type.Optional(maybe(Name)),
          is_lead: Lead,
        }),
      }),
    },
    answers: undoable(201, EditedTraveler, 'The traveller.'),
    errors: ['not_found', 'validation_failed', 'conflict'],
    async handle(tx, { params: { id }, body: { traveler }, actor }) {
      const { customer_id = null, traveler_id = null, name = null, is_lead: lead = false } = traveler
      takeChangeNumber(tx)
      const { answer, undo } = await editTrip(tx, id, 'trip.traveler_added', () =>
        addTraveler(tx, id, { customer: customer_id, traveler: traveler_id, name, lead }),
      )
      return withUndo(await travelerText(tx, actor, id, answer), undo)
    },
  }),
  ...patchAndPut({
    ...EDITING,
    path: '/trips/:id/travelers/:traveler_id',
    summary: 'Update a traveller of a trip',
    description: 'Omitted attributes keep their values. `customer_id` links the traveller to a customer.',
    takes: {
      ...ofTraveler,
      body: Type.Object({
        version: VersionRead,
        traveler: Type.Object({ customer_id: Customer, name: Type.Optional(maybe(Name)), is_lead: Lead }),
      }),
    },
    answers: undoable(200, EditedTraveler, 'The traveller.'),
    errors: ['not_found', 'validation_failed', 'conflict', 'stale'],
    async handle(tx, { params, body: { version, traveler }, actor }) {
      const { customer_id: customer, name, is_lead: lead } = traveler
      const { undo } = await onTraveler(tx, actor, 'trip.traveler_updated', params, version, async () => {
        if (name !== undefined) await refuseHiddenName(tx, actor, params.id, params.traveler_id)
        await changeTraveler(tx, params.id, params.traveler_id, { customer, name, lead })
      })
      return withUndo(await travelerText(tx, actor, params.id, params.traveler_id), undo)
    },
  }),
  route({
    ...EDITING,
    method: 'DELETE',
    path: '/trips/:id/travelers/:traveler_id',
    summary: 'Remove a traveller from a trip',
    description: 'If it was the lead, the next one leads. To restore it, undo the removal.',
    takes: { ...ofTraveler, query: Type.Object({ version: VersionRead }) },
    answers: undoable(200, Removed, 'The traveller was removed.'),
    errors: ['not_found', 'invalid_parameter', 'stale'],
    async handle(tx, { params, query: { version }, actor }) {
      const { undo } = await onTraveler(tx, actor, 'trip.traveler_removed', params, version, () =>
        removeTraveler(tx, params.id, params.traveler_id),
      )
      return withUndo(removed(params.traveler_id), undo)
    },
  }),
]
