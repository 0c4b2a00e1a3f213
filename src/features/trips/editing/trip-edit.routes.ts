import Type from 'typebox'
import { required } from '../../../catalogue/entity.ts'
import { uuid } from '../../../catalogue/kinds.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountReader, AccountTx } from '../../../platform/db/account-tx.ts'
import { dataOf } from '../../../platform/http/by-id.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { Day, Uuid } from '../../../platform/http/shapes.ts'
import { jsonObject } from '../../../platform/json-text.ts'
import {
  companyAttribute,
  companyFor,
  readAttributes,
  takesAttributes,
  writeShape,
} from '../../../records/attributes.ts'
import { deskOfActor } from '../../accounts/reads/desk-of-actor.ts'
import { createTrip } from '../commands/create-trip.ts'
import { duplicateTrip } from '../commands/duplicate-trip.ts'
import { cancelTrip, changeTrip } from '../commands/update-trip.ts'
import { ofTrip } from '../reads/trip-route.ts'
import { tripAttributes } from '../trip-attributes.ts'
import { editTrip, rowToEdit } from './edit-trip.ts'
import { readEditedTrip, readItinerary } from './edited.store.ts'
import { EditedTrip, ItineraryShape } from './edited.view.ts'
import { EDITING, shownTo, undoable, VersionRead, withUndo } from './route-parts.ts'
import { undoChange } from './undo-change.ts'

const { title, status, ...others } = writeShape(tripAttributes)
const Attributes = Type.Object(
  { title: Type.Optional(title as never), status: Type.Optional(status as never), ...others },
  { title: 'Trip attributes' },
)
const NewAttributes = Type.Object(
  {
    customer_id: Uuid,
    company_id: companyAttribute('The company of the trip; that of the seat if omitted.'),
    ...Attributes.properties,
  },
  { title: 'New trip attributes' },
)
const buyer = { customer_id: required(uuid) }

const tripText = async (reader: AccountReader, { policies }: Actor, trip: string) =>
  shownTo(policies, await reader.one(readEditedTrip(policies), { trip }), 'trip')
const itineraryText = async (reader: AccountReader, { policies }: Actor, trip: string) =>
  shownTo(policies, await reader.one(readItinerary(policies), { trip }), 'trip')

/** Changes the trip itself, if it still is what the editor read. */
async function change(
  tx: AccountTx,
  actor: Actor,
  action: `trip.${string}`,
  { id, version }: { id: string; version: number },
  work: () => Promise<void>,
) {
  const { undo } = await editTrip(tx, id, action, async (rows) => {
    await rowToEdit(rows, 'trips', { id, version }, () => tripText(tx, actor, id))
    await work()
  })
  return withUndo(await tripText(tx, actor, id), undo)
}

export const tripEditRoutes: readonly Route[] = [
  route({
    ...EDITING,
    method: 'GET',
    path: '/trips/:id/itinerary',
    policy: 'view_trips',
    summary: 'Read a trip with all its days',
    description:
      'The trip, its travellers, and its days with their segments, in order. Each has the version that its change needs.',
    takes: ofTrip,
    answers: { status: 200, body: Type.Object({ data: ItineraryShape }), description: 'The itinerary.' },
    errors: ['not_found'],
    handle: async (reader, { params, actor }) =>
      dataOf(await reader.one(readItinerary(actor.policies), { trip: params.id }), 'trip'),
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips',
    summary: 'Create a trip',
    description: 'Of a customer, by default in planning. It has a day for each date from its start to its end.',
    takes: takesAttributes('trip', { ...buyer, ...tripAttributes }, NewAttributes),
    answers: { status: 201, body: Type.Object({ data: EditedTrip }), description: 'The trip.' },
    errors: ['validation_failed', 'unknown_company'],
    async handle(tx, { body, actor }) {
      const { customer_id, company_id, ...given } = body.trip
      const reasons = new Reasons()
      const company = companyFor(actor, company_id, homeCompany(actor), reasons)
      const desk = deskOfActor(actor, company)
      const reading = { company, timeZone: actor.timeZone, creates: true, reasons }
      const read = readAttributes(buyer, customer_id === undefined ? {} : { customer_id }, reading)
      const id = await createTrip(tx, desk, String(read.customer_id), given, reasons)
      auditOwn(tx, {
        action: 'trip.created',
        subjectType: 'trip',
        subjectId: id,
        details: { customer: read.customer_id },
      })
      return jsonObject({ data: await tripText(tx, actor, id) })
    },
  }),
  ...patchAndPut({
    ...EDITING,
    path: '/trips/:id',
    summary: 'Update a trip',
    description:
      'Omitted attributes keep their values; so do settings that are not named. The days follow the dates: a day with segments is never removed by them.',
    takes: {
      ...ofTrip,
      body: Type.Object({ version: VersionRead, trip: Type.Record(Type.String(), Type.Unknown()) }),
      bodyInDocument: Type.Object({ version: VersionRead, trip: Attributes }),
    },
    answers: undoable(200, EditedTrip, 'The trip.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    handle: (tx, { params: { id }, body: { version, trip }, actor }) =>
      change(tx, actor, 'trip.updated', { id, version }, () => changeTrip(tx, deskOfActor(actor), id, trip)),
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/cancel',
    summary: 'Cancel a trip',
    description: 'Its bookings do not change. A cancelled trip stays cancelled, unless this is undone in time.',
    takes: { ...ofTrip, body: Type.Object({ version: VersionRead }) },
    answers: undoable(200, EditedTrip, 'The trip.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    handle: (tx, { params: { id }, body: { version }, actor }) =>
      change(tx, actor, 'trip.cancelled', { id, version }, () => cancelTrip(tx, deskOfActor(actor), id)),
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/duplicate',
    summary: 'Duplicate a trip',
    description:
      'A trip in planning with the days and segments of another one, from a new start on. The segments are drafts, without amounts and confirmations; insurance, visas and cancelled ones are left out. Bookings, share links and the notification schedule are not copied. A copy for another customer has neither the travellers nor the internal notes.',
    takes: {
      ...ofTrip,
      body: Type.Object({
        start_date: Day,
        title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
        customer_id: Type.Optional({ ...Uuid, description: 'The customer of the copy; the same one if omitted.' }),
      }),
    },
    answers: { status: 201, body: Type.Object({ data: EditedTrip }), description: 'The copy.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body: { start_date: start, title = null, customer_id: customer = null }, actor }) {
      const id = await duplicateTrip(tx, deskOfActor(actor), params.id, { start, title, customer })
      const details = { duplicates: params.id.toLowerCase() }
      auditOwn(tx, { action: 'trip.created', subjectType: 'trip', subjectId: id, details })
      return jsonObject({ data: await tripText(tx, actor, id) })
    },
  }),
  route({
    ...EDITING,
    method: 'POST',
    path: '/trips/:id/undo',
    summary: 'Undo a change of a trip',
    description:
      'Takes the `undo.token` of a change of the last ten minutes, which is good once, and restores exactly what that change did. Where somebody has changed the same since, it answers 409 `stale` with the itinerary, and nothing changes. Undoing can be undone as well.',
    takes: { ...ofTrip, body: Type.Object({ token: Uuid }) },
    answers: undoable(200, ItineraryShape, 'The itinerary.'),
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, { params: { id }, body: { token }, actor }) {
      const shown = () => itineraryText(tx, actor, id)
      const undo = await undoChange(tx, id, token, shown)
      return withUndo(await shown(), undo)
    },
  }),
]
