import Type, { type TSchema } from 'typebox'
import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { noSuch } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Uuid } from '../../platform/http/shapes.ts'
import { jsonObject, jsonText, NO_BODY } from '../../platform/json-text.ts'
import { ofTrip, TRIPS } from '../trips/reads/trip-route.ts'
import { fileBooking, unfileBooking } from './commands/file-booking.ts'
import { filedBooking, PROPOSALS, proposedBooking, readFiledBookings, readProposals } from './filing.view.ts'

const FILED = 10_000
const reading = { tag: TRIPS, scope: null, policy: 'view_trips', takes: ofTrip } as const
const writing = { tag: TRIPS, scope: null, policy: 'manage_trips' } as const
const listOf = (item: TSchema, maxItems: number, description: string) =>
  ({ status: 200, body: Type.Object({ data: Type.Array(item, { maxItems }) }), description }) as const
const { id } = ofTrip.params.properties

const audit = (tx: AccountTx, trip: string, done: 'filed' | 'unfiled', booking: string) =>
  auditOwn(tx, { action: `trip.booking_${done}`, subjectType: 'trip', subjectId: trip, details: { booking } })

export const filingRoutes: readonly Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: '/trips/:id/bookings',
    summary: 'List the bookings of a trip',
    description: 'By their first day.',
    answers: listOf(viewSchema(filedBooking, 'Booking of a trip'), FILED, 'The bookings.'),
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readFiledBookings(actor.policies), { trip: params.id })
      if (!found) throw noSuch('trip')
      return jsonObject({ data: found.items })
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: '/trips/:id/booking_proposals',
    summary: 'List bookings that could be filed into a trip',
    description:
      'Bookings of the customers of the trip that are in no trip, with the reason: the program found no trip with their days, or several, or a person took them out of one. Those that fit the trip come first.',
    answers: listOf(viewSchema(proposedBooking, 'Proposed booking'), PROPOSALS, 'The proposals.'),
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readProposals(actor.policies), { trip: params.id })
      if (!found) throw noSuch('trip')
      return jsonObject({ data: found.items })
    },
  }),
  route({
    ...writing,
    method: 'POST',
    path: '/trips/:id/bookings',
    summary: 'File a booking into a trip',
    description:
      'Whatever its dates and its customer, and out of another trip if it is in one. The program never moves it again; its segments follow in the background.',
    takes: { ...ofTrip, body: Type.Object({ booking_id: Uuid }) },
    answers: {
      status: 201,
      body: Type.Object({ data: Type.Object({ trip_id: Uuid, booking_id: Uuid }) }),
      description: 'The booking is filed.',
    },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body }) {
      const [trip_id, booking_id] = [params.id.toLowerCase(), body.booking_id.toLowerCase()]
      await fileBooking(tx, trip_id, booking_id)
      audit(tx, trip_id, 'filed', booking_id)
      return jsonText({ data: { trip_id, booking_id } })
    },
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: '/trips/:id/bookings/:booking_id',
    summary: 'Take a booking out of a trip',
    description: 'With its segments. The program does not file it again; a person can.',
    takes: { params: Type.Object({ id, booking_id: { ...id, description: 'Id of the booking.' } }) },
    answers: { status: 204, body: Type.Null(), description: 'The booking is out of the trip.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      await unfileBooking(tx, params.id, params.booking_id)
      audit(tx, params.id.toLowerCase(), 'unfiled', params.booking_id.toLowerCase())
      return NO_BODY
    },
  }),
]
