import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { findCustomer, TIMELINE_KINDS, timelineEntry, timelineOfCustomer } from './timeline.view.ts'

const KIND = TIMELINE_KINDS.join('|')
const Kinds = Type.String({
  pattern: `^(${KIND})(,(${KIND}))*$`,
  maxLength: 100,
  description: `Only these kinds, with commas: ${TIMELINE_KINDS.join(', ')}.`,
})

export const timelineRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/customers/:id/timeline',
    tag: { name: 'Customers', description: 'Customers, with notes and a traveller directory.' },
    scope: null,
    policy: null,
    summary: 'List what concerns a customer',
    description:
      'Bookings, trips, messages, notes, customer invoices with credit notes, and tasks of the customer, by when they were created, newest first. `entity` is the vertical of a booking, the channel of a message or the type of a document. A role that sees no trips is shown none; other values that it does not see are null.',
    takes: { ...byId('customer'), query: Type.Object({ ...paging, kinds: Type.Optional(Kinds) }) },
    answers: {
      status: 200,
      body: listOf(viewSchema(timelineEntry, 'Timeline entry')),
      description: 'A page of entries.',
    },
    errors: ['not_found', 'invalid_cursor', 'invalid_parameter'],
    async handle(reader, { params: { id: customer }, query: { kinds = TIMELINE_KINDS.join(',') }, actor, page }) {
      const { limit, after } = page
      const [found, entries] = await Promise.all([
        reader.one(findCustomer, { customer }),
        reader.one(timelineOfCustomer(actor.policies, after !== null), {
          customer,
          kinds: kinds.split(','),
          limit,
          after,
        }),
      ])
      if (!found) throw noSuch('customer')
      return listText(page, entries)
    },
  }),
]
