import Type from 'typebox'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountReader, AccountTx } from '../../../platform/db/account-tx.ts'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { writeShape } from '../../../records/attributes.ts'
import { deskOfActor } from '../../accounts/reads/desk-of-actor.ts'
import { addDay } from '../commands/add-day.ts'
import { moveDay } from '../commands/move-day.ts'
import { removeDay } from '../commands/remove-day.ts'
import { changeDay } from '../commands/update-day.ts'
import { ofTrip } from '../reads/trip-route.ts'
import { DAYS_MAXIMUM } from '../reads/trip-span.ts'
import { dayAttributes } from '../trip-attributes.ts'
import { editTrip, rowToEdit } from './edit-trip.ts'
import { readEditedDay } from './edited.store.ts'
import { EditedDay } from './edited.view.ts'
import { EDITING, ofPart, Removed, removed, shownTo, undoable, VersionRead, withUndo } from './route-parts.ts'

const ofDay = ofPart('day_id', 'day')
const Given = Type.Record(Type.String(), Type.Unknown())
const Attributes = Type.Object(writeShape(dayAttributes), { title: 'Day attributes' })
const After = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: DAYS_MAXIMUM,
    description: 'Number of the day to insert after, 0 for the first place; the last day if omitted.',
  }),
)

const dayText = async (reader: AccountReader, { policies }: Actor, trip: string, id: string) =>
  shownTo(policies, await reader.one(readEditedDay(policies), { trip, id }), 'day')
type Named = { readonly id: string; readonly day_id: string }

/** Changes a day, by its number, if it still is what the editor read. */
const onDay = (
  tx: AccountTx,
  actor: Actor,
  action: `trip.${string}`,
  { id: trip, day_id: id }: Named,
  version: number,
  work: (number: number) => Promise<unknown>,
) =>
  editTrip(tx, trip, action, async (rows) => {
    const row = await rowToEdit(rows, 'trip_days', { id, version }, () => dayText(tx, actor, trip, id))
    await work(Number(row.day_number))
  })

export const dayEditRoutes: readonly Route[] = [
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/itinerary/days',
    summary: 'Add a day to a trip',
    description: 'Later days, and the end of the trip, move by one day.',
    takes: {
      ...ofTrip,
      body: Type.Object({ after: After, day: Type.Optional(Given) }),
      bodyInDocument: Type.Object({ after: After, day: Type.Optional(Attributes) }),
    },
    answers: undoable(201, EditedDay, 'The day.'),
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params: { id }, body: { after = null, day = {} }, actor }) {
      const add = () => addDay(tx, deskOfActor(actor), id, after, day)
      const { answer, undo } = await editTrip(tx, id, 'trip.day_added', add)
      return withUndo(await dayText(tx, actor, id, answer.id), undo)
    },
  }),
  ...patchAndPut({
    ...EDITING,
    path: '/trips/:id/itinerary/days/:day_id',
    summary: 'Update a day of a trip',
    description: 'Omitted attributes keep their values. The date of a day follows from its number.',
    takes: {
      ...ofDay,
      body: Type.Object({ version: VersionRead, day: Given }),
      bodyInDocument: Type.Object({ version: VersionRead, day: Attributes }),
    },
    answers: undoable(200, EditedDay, 'The day.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params, body: { version, day }, actor }) {
      const { undo } = await onDay(tx, actor, 'trip.day_updated', params, version, (number) =>
        changeDay(tx, deskOfActor(actor), params.id, number, day),
      )
      return withUndo(await dayText(tx, actor, params.id, params.day_id), undo)
    },
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/itinerary/days/:day_id/move',
    summary: 'Move a day of a trip',
    description:
      'Gives the day another number; those between follow. The dates of the trip stay, and what comes from a booking stays on its date.',
    takes: {
      ...ofDay,
      body: Type.Object({ version: VersionRead, day_number: Type.Integer({ minimum: 1, maximum: DAYS_MAXIMUM }) }),
    },
    answers: undoable(200, EditedDay, 'The day.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params, body: { version, day_number }, actor }) {
      const { undo } = await onDay(tx, actor, 'trip.day_moved', params, version, (number) =>
        moveDay(tx, params.id, number, day_number),
      )
      return withUndo(await dayText(tx, actor, params.id, params.day_id), undo)
    },
  }),
  route({
    ...EDITING,
    method: 'DELETE',
    path: '/trips/:id/itinerary/days/:day_id',
    summary: 'Remove a day of a trip',
    description:
      'Refused while it has segments. Later days, and the end of the trip, move one day back. To restore it, undo the removal.',
    takes: { ...ofDay, query: Type.Object({ version: VersionRead }) },
    answers: undoable(200, Removed, 'The day was removed.'),
    errors: ['not_found', 'invalid_parameter', 'conflict', 'stale'],
    async handle(tx, { params, query: { version }, actor }) {
      const { undo } = await onDay(tx, actor, 'trip.day_removed', params, version, (number) =>
        removeDay(tx, params.id, number),
      )
      return withUndo(removed(params.day_id), undo)
    },
  }),
]
