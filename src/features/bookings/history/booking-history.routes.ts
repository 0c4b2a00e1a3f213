import Type from 'typebox'
import { viewSchema } from '../../../platform/db/view.ts'
import { byId, noSuch } from '../../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../../platform/http/paging.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { verticalOf } from '../booking-detail.store.ts'
import { BOOKINGS } from '../bookings.routes.ts'
import { historyEntry, historyOfBooking } from './booking-history.view.ts'

export const bookingHistoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/bookings/:id/history',
    tag: BOOKINGS,
    scope: null,
    policy: null,
    summary: 'Read the history of a booking',
    description:
      'Newest first: changes with who made them, the imports and ticket files that created or changed the booking, and its documents. Imports need `import_records`, ticket files `import_tickets`. Values that the role does not see are left out of `before` and `after`; those of people, lists and long texts are not kept.',
    takes: { ...byId('booking'), query: Type.Object(paging) },
    answers: {
      status: 200,
      body: listOf(viewSchema(historyEntry, 'Booking history entry')),
      description: 'A page of entries.',
    },
    errors: ['not_found', 'invalid_cursor', 'invalid_parameter'],
    async handle(reader, { params: { id: booking }, actor, page }) {
      const { limit, after } = page
      const [found, entries] = await Promise.all([
        reader.one(verticalOf, { id: booking }),
        reader.one(historyOfBooking(actor.policies, after !== null), { booking, limit, after }),
      ])
      if (!found) throw noSuch('booking')
      return listText(page, entries)
    },
  }),
]
