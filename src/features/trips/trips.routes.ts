import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { dataOf, noSuch } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { dayDetail, dayItem } from './days.view.ts'
import { ofTrip, TRIPS } from './reads/trip-route.ts'
import { TRIP_SCOPES } from './reads/trip-scopes.ts'
import { DAYS_MAXIMUM } from './reads/trip-span.ts'
import { TRIP_STATUSES } from './reads/trip-status.ts'
import { readTripText, TripShape } from './reads/trip-text.ts'
import { Segment } from './segments.view.ts'
import { listTrips, readDay, readDays, readSegment } from './trips.store.ts'
import { tripItem } from './trips.view.ts'

const FULL = ['full'] as const
const policy = 'view_trips'
/** The highest day number of any trip. */
const DAY_NUMBER = '^[1-9]\\d{0,3}$'

const { id } = ofTrip.params.properties
const ofDay = {
  params: Type.Object({
    id,
    day_number: Type.String({ pattern: DAY_NUMBER, maxLength: 4, description: 'Number of the day, starting at 1.' }),
  }),
}
const ofSegment = { params: Type.Object({ id, segment_id: { ...id, description: 'Id of the segment.' } }) }
const scopes = Object.keys(TRIP_SCOPES) as (keyof typeof TRIP_SCOPES)[]

export const tripRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/trips',
    tag: TRIPS,
    summary: 'List trips',
    description:
      'By start date ascending; trips without a start date come last. `q` searches title and reference number. A confirmed trip is `in_progress` from its start to its end date and `completed` afterwards, in the time zone of the account. `scope` is `active` (neither completed nor cancelled), `upcoming` (confirmed and not started), `in_progress`, or `needs_attention`: active trips that are confirmed without dates, or have an option that ends within 3 days, an overdue task, an unread message, an unconfirmed segment within 14 days of departure, or a traveller whose passport expires within 6 months after the return.',
    scope: FULL,
    policy,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        status: Type.Optional(enumOf(TRIP_STATUSES)),
        assigned_to_id: Type.Optional(Uuid),
        scope: Type.Optional(enumOf(scopes)),
      }),
    },
    answers: { status: 200, body: listOf(viewSchema(tripItem, 'Trip in a list')), description: 'A page of trips.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { query, actor, page }) =>
      listText(page, await listTrips(reader, actor.policies, page, query)),
  }),
  route({
    method: 'GET',
    path: '/trips/:id',
    tag: TRIPS,
    summary: 'Read a trip',
    scope: FULL,
    policy,
    takes: ofTrip,
    answers: { status: 200, body: Type.Object({ data: TripShape }), description: 'The trip, without its days.' },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const item = await readTripText(reader, actor.policies, params.id)
      return dataOf(item === null ? undefined : { item }, 'trip')
    },
  }),
  route({
    method: 'GET',
    path: '/trips/:id/days',
    tag: TRIPS,
    summary: 'List the days of a trip',
    description: 'All days, in itinerary order.',
    scope: FULL,
    policy,
    takes: ofTrip,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(viewSchema(dayItem, 'Day in a list'), { maxItems: DAYS_MAXIMUM }) }),
      description: 'The days.',
    },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readDays(actor.policies), { trip: params.id })
      if (!found) throw noSuch('trip')
      return jsonObject({ data: found.items })
    },
  }),
  route({
    method: 'GET',
    path: '/trips/:id/days/:day_number',
    tag: TRIPS,
    summary: 'Read a day of a trip',
    description:
      'The day with its segments in order, and its facts from providers, such as the weather. `data` of a fact is null until the provider has responded.',
    scope: FULL,
    policy,
    takes: ofDay,
    answers: { status: 200, body: Type.Object({ data: viewSchema(dayDetail, 'Day') }), description: 'The day.' },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const day = Number(params.day_number)
      const found = await reader.one(readDay(actor.policies), { trip: params.id, day })
      return dataOf(found, 'day')
    },
  }),
  route({
    method: 'GET',
    path: '/trips/:id/segments/:segment_id',
    tag: TRIPS,
    summary: 'Read a segment of a trip',
    description:
      'Times are local to the place, and for flights to each airport. Cost, commission, margin, supplier and confirmation number are included only if the role sees costs.',
    scope: FULL,
    policy,
    takes: ofSegment,
    answers: { status: 200, body: Type.Object({ data: Segment }), description: 'The segment.' },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readSegment(actor.policies), { trip: params.id, id: params.segment_id })
      return dataOf(found, 'segment')
    },
  }),
]
