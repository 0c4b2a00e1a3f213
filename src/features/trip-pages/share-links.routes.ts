import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { itemOf, noSuch } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonObject, jsonText, NO_BODY } from '../../platform/json-text.ts'
import { takesAttributes, writeShape } from '../../records/attributes.ts'
import { ofTrip, TRIPS } from '../trips/reads/trip-route.ts'
import { mintShareLink, readNewLink } from './commands/mint-share-link.ts'
import { revokeShareLink } from './commands/revoke-share-link.ts'
import { shareLinkAttributes } from './share-link-attributes.ts'
import { LINKS, readShareLink, readShareLinks } from './share-links.store.ts'
import { shareLink } from './share-links.view.ts'

const FULL = ['full'] as const
const policy = 'share_trips'
const LISTED_MAXIMUM = 10_000 // those that were revoked stay
const { id } = ofTrip.params.properties
const ofLink = { params: Type.Object({ id, link_id: { ...id, description: 'Id of the link.' } }) }
const url = Type.String({ maxLength: 2000, description: 'Address of the shared trip. It is shown only once.' })
const Attributes = Type.Object(writeShape(shareLinkAttributes), { title: 'Share link attributes' })

export const shareLinkRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/trips/:id/share_links',
    tag: TRIPS,
    summary: 'List the share links of a trip',
    description: 'Newest first, including revoked and expired links. Addresses are not included.',
    scope: FULL,
    policy: ['view_trips', 'share_trips'],
    takes: ofTrip,
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(viewSchema(shareLink, 'Share link'), { maxItems: LISTED_MAXIMUM }) }),
      description: 'The links.',
    },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(readShareLinks(actor.policies), { trip: params.id })
      if (!found) throw noSuch('trip')
      return jsonObject({ data: found.items })
    },
  }),
  route({
    method: 'POST',
    path: '/trips/:id/share_links',
    tag: TRIPS,
    summary: 'Share a trip',
    description: `Anybody with the address can see the itinerary without an API key, until the link is revoked or expires. \`show_travelers\` defaults to true, except for the audience \`supplier\`. The audience \`supplier\` requires \`supplier_id\` and shows only the segments of that supplier. A link never shows prices or travellers that the role itself does not see. If a password of at least 8 characters is set, visitors must enter it first. A trip can have at most ${LINKS} links that are not revoked.`,
    scope: FULL,
    policy,
    takes: { ...ofTrip, ...takesAttributes('share_link', shareLinkAttributes, Attributes) },
    answers: {
      status: 201,
      body: Type.Object({ data: viewSchema({ ...shareLink, url: { sql: '', schema: url } }, 'New share link') }),
      description: 'The link, with its address.',
    },
    errors: ['not_found', 'validation_failed'],
    prepare: ({ actor, body }) => readNewLink(actor, body.share_link),
    async handle(tx, { params, actor, publicUrl }, { link, reasons }) {
      const { id, token } = await mintShareLink(tx, params.id, link, actor.seat, reasons)
      const made = itemOf(await tx.last(readShareLink(actor.policies), { trip: params.id, id }), 'share link')
      return jsonText({ data: { ...JSON.parse(made), url: `${publicUrl}/s/${token}` } })
    },
  }),
  route({
    method: 'DELETE',
    path: '/trips/:id/share_links/:link_id',
    tag: TRIPS,
    summary: 'Revoke a share link',
    description: 'The address stops working; the link stays in the list. A link that is already revoked returns 404.',
    scope: FULL,
    policy,
    takes: ofLink,
    answers: { status: 204, body: Type.Null(), description: 'The link is revoked.' },
    errors: ['not_found'],
    async handle(tx, { params: { id, link_id } }) {
      if (!(await revokeShareLink(tx, id, link_id))) throw noSuch('share link')
      return NO_BODY
    },
  }),
]
