import Type from 'typebox'
import { noSuch } from '../../platform/http/by-id.ts'
import { demandPolicy } from '../../platform/http/demand-policy.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Uuid } from '../../platform/http/shapes.ts'
import { framedPolicy, PRIVATE } from '../../platform/page/document.ts'
import { ofTrip, TRIPS } from '../trips/reads/trip-route.ts'
import { itineraryPage } from './itinerary.ts'
import { readPublicTrip } from './public-trip.store.ts'
import { wordsOf } from './reads/words.ts'
import { AUDIENCES } from './share-link-attributes.ts'

const PAGE_MAXIMUM = 100_000_000
const Flag = Type.Optional(enumOf(['true', 'false']))

export const previewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/trips/:id/preview',
    tag: TRIPS,
    scope: null,
    policy: 'view_trips',
    summary: 'Preview the page of a trip',
    description:
      'The page that a share link for this audience (by default `traveler`) shows, as HTML for a sandboxed frame. Nothing counts as a visit. `show_prices` and `show_travelers` are those of the link; prices and names that the role does not see are left out. The audience `supplier` needs `supplier_id`, and a role that sees costs.',
    takes: {
      ...ofTrip,
      query: Type.Object({
        audience: Type.Optional(enumOf(AUDIENCES)),
        supplier_id: Type.Optional(Uuid),
        show_prices: Flag,
        show_travelers: Flag,
      }),
    },
    answers: {
      status: 200,
      type: 'text/html',
      body: Type.String({ maxLength: PAGE_MAXIMUM }),
      description: 'The page.',
    },
    errors: ['not_found', 'invalid_parameter'],
    async handle(
      reader,
      { params, query: { audience = 'traveler', supplier_id, show_prices, show_travelers }, actor: { policies } },
    ) {
      const isForSupplier = audience === 'supplier'
      if (isForSupplier !== (supplier_id !== undefined))
        throw new ApiError('invalid_parameter', 'Send supplier_id with the audience supplier, and with no other.')
      if (isForSupplier) for (const policy of ['view_money', 'view_costs'] as const) demandPolicy(policies, policy)
      const namesPeople = show_travelers === undefined ? !isForSupplier : show_travelers === 'true'
      const trip = await reader.one(readPublicTrip, {
        trip: params.id,
        supplier: supplier_id ?? null,
        prices: !isForSupplier && show_prices === 'true' && policies.has('view_money'),
        travelers: namesPeople && policies.has('view_personal_data'),
      })
      if (!trip) throw noSuch('trip')
      const { text, policy } = itineraryPage(trip, wordsOf(trip.language), null)
      const headers = { ...PRIVATE, 'content-security-policy': framedPolicy(policy) }
      return { body: Buffer.from(text), headers }
    },
  }),
]
