import Type from 'typebox'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountReader, AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { Uuid } from '../../../platform/http/shapes.ts'
import { writeShape } from '../../../records/attributes.ts'
import { deskOfActor } from '../../accounts/reads/desk-of-actor.ts'
import { addSegment } from '../commands/add-segment.ts'
import { removeSegment } from '../commands/remove-segment.ts'
import { changeSegment } from '../commands/update-segment.ts'
import { ofTrip } from '../reads/trip-route.ts'
import { segmentAttributes } from '../segment-attributes.ts'
import { editTrip, rowToEdit } from './edit-trip.ts'
import { readEditedSegment } from './edited.store.ts'
import { EditedSegment } from './edited.view.ts'
import { EDITING, ofPart, Removed, removed, shownTo, undoable, VersionRead, withUndo } from './route-parts.ts'
import type { TripRows } from './trip-rows.ts'

const ofSegment = ofPart('segment_id', 'segment')
const Given = Type.Record(Type.String(), Type.Unknown())
const { segment_type, ...others } = writeShape(segmentAttributes)
const Attributes = Type.Object(
  { segment_type: Type.Optional(segment_type as never), ...others },
  { title: 'Segment attributes' },
)
const NewAttributes = Type.Object(
  { ...others, segment_type: segment_type as never },
  { title: 'New segment attributes' },
)
const Position = Type.Integer({ minimum: 1, maximum: 10_000, description: 'The place in the day, from 1.' })

const segmentText = async (reader: AccountReader, { policies }: Actor, trip: string, id: string) =>
  shownTo(policies, await reader.one(readEditedSegment(policies), { trip, id }), 'segment')

/** The number of a day of the trip. */
function numberOf({ trip_days }: TripRows, id: string): number {
  const day = trip_days.find((one) => one.id === id.toLowerCase())
  if (!day) throw noSuch('day')
  return Number(day.day_number)
}

/** Changes a segment, if it still is what the editor read. */
const onSegment = (
  tx: AccountTx,
  actor: Actor,
  action: `trip.${string}`,
  { id: trip, segment_id: id }: { readonly id: string; readonly segment_id: string },
  version: number,
  work: (rows: TripRows) => Promise<unknown>,
) =>
  editTrip(tx, trip, action, async (rows) => {
    await rowToEdit(rows, 'trip_segments', { id, version }, () => segmentText(tx, actor, trip, id))
    await work(rows)
  })
/** Where it stays. */
const SAME = { day: null, place: null }

export const segmentEditRoutes: readonly Route[] = [
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/itinerary/segments',
    summary: 'Add a segment to a day',
    description: 'At a position, or at the end of the day.',
    takes: {
      ...ofTrip,
      body: Type.Object({ day_id: Uuid, position: Type.Optional(Position), segment: Given }),
      bodyInDocument: Type.Object({ day_id: Uuid, position: Type.Optional(Position), segment: NewAttributes }),
    },
    answers: undoable(201, EditedSegment, 'The segment.'),
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params: { id }, body: { day_id, position = null, segment }, actor }) {
      const { answer, undo } = await editTrip(tx, id, 'trip.segment_added', (rows) =>
        addSegment(tx, deskOfActor(actor), id, { day: numberOf(rows, day_id), place: position }, segment),
      )
      return withUndo(await segmentText(tx, actor, id, answer), undo)
    },
  }),
  ...patchAndPut({
    ...EDITING,
    path: '/trips/:id/itinerary/segments/:segment_id',
    summary: 'Update a segment',
    description:
      'Omitted attributes keep their values. Of a segment that comes from a booking, only its texts, its picture and what it shows can be changed. An attribute that the role does not see is refused.',
    takes: {
      ...ofSegment,
      body: Type.Object({ version: VersionRead, segment: Given }),
      bodyInDocument: Type.Object({ version: VersionRead, segment: Attributes }),
    },
    answers: undoable(200, EditedSegment, 'The segment.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params, body: { version, segment }, actor }) {
      const { id, segment_id } = params
      const { undo } = await onSegment(tx, actor, 'trip.segment_updated', params, version, () =>
        changeSegment(tx, deskOfActor(actor), id, segment_id, SAME, segment, actor.policies),
      )
      return withUndo(await segmentText(tx, actor, id, segment_id), undo)
    },
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/itinerary/segments/:segment_id/move',
    summary: 'Move a segment',
    description:
      'To a position in its day or another; the other segments of both days close up. A segment that comes from a booking stays on its day.',
    takes: { ...ofSegment, body: Type.Object({ version: VersionRead, day_id: Uuid, position: Position }) },
    answers: undoable(200, EditedSegment, 'The segment.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params, body: { version, day_id, position }, actor }) {
      const { id, segment_id } = params
      const { undo } = await onSegment(tx, actor, 'trip.segment_moved', params, version, (rows) => {
        const place = { day: numberOf(rows, day_id), place: position }
        return changeSegment(tx, deskOfActor(actor), id, segment_id, place, {})
      })
      return withUndo(await segmentText(tx, actor, id, segment_id), undo)
    },
  }),
  route({
    ...EDITING,
    method: 'DELETE',
    path: '/trips/:id/itinerary/segments/:segment_id',
    summary: 'Remove a segment',
    description: 'Refused for a segment that comes from a booking. To restore it, undo the removal.',
    takes: { ...ofSegment, query: Type.Object({ version: VersionRead }) },
    answers: undoable(200, Removed, 'The segment was removed.'),
    errors: ['not_found', 'invalid_parameter', 'conflict', 'stale'],
    async handle(tx, { params, query: { version }, actor }) {
      const { undo } = await onSegment(tx, actor, 'trip.segment_removed', params, version, () =>
        removeSegment(tx, params.id, params.segment_id),
      )
      return withUndo(removed(params.segment_id), undo)
    },
  }),
]
