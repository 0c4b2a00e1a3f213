import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, enumOf, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { bookingView } from './booking.view.ts'
import { bookingReader } from './booking-detail.store.ts'
import type { BookingKind } from './booking-kind.ts'
import { bookingItem } from './bookings.view.ts'
import { BOOKING_SORTS, bookingsList } from './bookings-list.store.ts'
import { BOOKING_STATES } from './reads/booking-states.ts'

export const BOOKINGS = { name: 'Bookings', description: 'Bookings of all verticals.' }
const LIST_LENGTH = 1000

/** The names in a text with commas; refuses unknown ones. */
function namesIn(parameter: string, text: string | undefined, known: readonly string[]): string[] | undefined {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  const reason = `Send one or more of ${known.join(', ')}, separated by commas.`
  throw new ApiError('invalid_parameter', `The query parameter ${parameter} is invalid. ${reason}`, {
    details: { [parameter]: [reason] },
  })
}

const Names = (description: string) => Type.Optional(Type.String({ maxLength: LIST_LENGTH, description }))

/** Reading bookings of these verticals. */
export function bookingRoutes(kinds: readonly BookingKind[]): readonly Route[] {
  const verticals = kinds.map(({ entity }) => entity.key)
  const list = bookingsList(verticals)
  const read = bookingReader(kinds)
  const states = Object.keys(BOOKING_STATES)
  return [
    route({
      method: 'GET',
      path: '/bookings',
      tag: BOOKINGS,
      scope: null,
      policy: null,
      summary: 'List bookings',
      description:
        'Bookings of all verticals in one list. `q` finds an external id or a PNR, and for roles that see personal data a ticket number, or at least three letters of the name of a customer. Bookings without a day of travel are last in the order `-travels_on`, and first in `travels_on`.',
      takes: {
        query: Type.Object({
          ...paging,
          vertical: Names('One or more verticals, separated by commas.'),
          status: Names('One or more statuses, separated by commas.'),
          customer_id: Type.Optional(Uuid),
          supplier_id: Type.Optional(Uuid),
          advisor_id: Type.Optional(Uuid),
          branch_id: Type.Optional(Uuid),
          travels_from: Type.Optional(Day),
          travels_to: Type.Optional(Day),
          transaction_from: Type.Optional(Day),
          transaction_to: Type.Optional(Day),
          option_before: Type.Optional({ ...Day, description: 'Options whose last day is before this one.' }),
          invoiced: Type.Optional(enumOf(['true', 'false'])),
          q: Type.Optional(Type.String({ maxLength: 200 })),
          sort: Type.Optional({ ...enumOf(BOOKING_SORTS), description: 'Default: `-created_at`.' }),
        }),
      },
      answers: {
        status: 200,
        body: listOf(viewSchema(bookingItem(verticals), 'Booking in a list')),
        description: 'A page of bookings.',
      },
      errors: ['invalid_cursor', 'invalid_parameter'],
      async handle(reader, { query, actor, page }) {
        const { limit: _, cursor: __, vertical, status, invoiced, q, sort = '-created_at', ...given } = query
        const filters = {
          ...given,
          q: q?.trim() || undefined,
          verticals: namesIn('vertical', vertical, verticals),
          statuses: namesIn('status', status, states),
          invoiced: invoiced === undefined ? undefined : invoiced === 'true',
        }
        return listText(page, await list(reader, actor.policies, page, filters, sort))
      },
    }),
    route({
      method: 'GET',
      path: '/bookings/:id',
      tag: BOOKINGS,
      scope: null,
      policy: null,
      summary: 'Read a booking',
      description:
        '`record` is the booking as the records feed shows it, with its lines and travellers. `trips` needs `view_trips`, and `captures` needs `import_tickets`.',
      takes: byId('booking'),
      answers: {
        status: 200,
        body: Type.Object({ data: viewSchema(bookingView(kinds, kinds[0] as BookingKind), 'Booking') }),
        description: 'The booking.',
      },
      errors: ['not_found'],
      handle: async (reader, { params, actor }) => jsonObject({ data: await read(reader, actor.policies, params.id) }),
    }),
  ]
}
