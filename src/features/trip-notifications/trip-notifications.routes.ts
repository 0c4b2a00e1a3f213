import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { noSuch } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { ofTrip, TRIPS } from '../trips/reads/trip-route.ts'
import { readNotifications, tripNotification } from './trip-notifications.view.ts'

const NOTIFICATIONS = 100

export const tripNotificationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/trips/:id/notifications',
    tag: TRIPS,
    summary: 'List the scheduled notifications of a trip',
    description:
      'Earliest first. Each notification is sent once and moves with the dates of the trip. `notification_preferences` of the trip switches kinds off.',
    scope: ['full'],
    policy: 'view_trips',
    takes: ofTrip,
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Array(viewSchema(tripNotification, 'Trip notification'), { maxItems: NOTIFICATIONS }),
      }),
      description: 'The schedule.',
    },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readNotifications(actor.policies), { trip: params.id })
      if (!found) throw noSuch('trip')
      return jsonObject({ data: found.items })
    },
  }),
]
