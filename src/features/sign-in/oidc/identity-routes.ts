import Type from 'typebox'
import { viewSchema } from '../../../platform/db/view.ts'
import { byId, noSuch } from '../../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../../platform/http/paging.ts'
import { type Input, type Route, route } from '../../../platform/http/route.ts'
import { jsonText, NO_BODY } from '../../../platform/json-text.ts'
import { unlinkIdentity } from './commands/link-identity.ts'
import { identityView, listIdentities } from './identities.store.ts'
import { insertPending } from './pending.store.ts'
import type { ProviderTools } from './pending.ts'
import { findOwnProvider } from './providers.store.ts'
import { ownPath, PROVIDER, prepared, SENT } from './sent.ts'

const OWN = {
  tag: { name: 'Sessions', description: 'The sessions of the person who is signed in.' },
  scope: null,
  policy: null,
} as const
/** More than a person needs. */
const PER_MINUTE = 10

const asked = (own: ProviderTools, purpose: 'link' | 'proof') =>
  ({
    ...OWN,
    method: 'POST',
    perMinute: PER_MINUTE,
    shownOnce: ['url'],
    takes: { body: Type.Object(PROVIDER) },
    answers: SENT,
    async prepare(
      { body, publicUrl }: Input<{ body: ReturnType<typeof Type.Object<typeof PROVIDER>> }>,
      inTransaction: Parameters<NonNullable<Route['prepare']>>[1],
    ) {
      const returnTo = ownPath(body.return_to)
      const provider = await inTransaction((tx) => tx.one(findOwnProvider, { id: body.provider_id }))
      if (!provider) throw noSuch('provider')
      const { url, cookie, row } = await prepared(own, publicUrl, provider)
      return { url, cookie, waiting: { ...row, purpose, link: null, returnTo } }
    },
  }) as const

export const identityRoutes = (own: ProviderTools): readonly Route[] => [
  route({
    ...OWN,
    method: 'GET',
    path: '/session/identities',
    summary: 'List own identities',
    description: 'Who the person is to the providers by which they sign in.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(viewSchema(identityView, 'Identity')), description: 'A page of identities.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) =>
      listText(page, await listIdentities(reader, actor.policies, page, {}, { seat: actor.seat })),
  }),
  route({
    ...asked(own, 'link'),
    path: '/session/identities',
    summary: 'Link an identity',
    description:
      'Sends the browser to a provider. The person who signs in to it there is linked to the seat of this session, in place of a former one at that provider.',
    recentProof: true,
    errors: ['not_found', 'validation_failed', 'invalid_parameter', 'proof_required'],
    async handle(tx, { principal }, { url, cookie, waiting }) {
      tx.later(insertPending, { ...waiting, session: principal.id })
      return { body: jsonText({ data: { url } }), cookies: [cookie] }
    },
  }),
  route({
    ...asked(own, 'proof'),
    path: '/session/proof/provider',
    summary: 'Prove who you are by a provider',
    description:
      'Sends the browser to a provider. Whoever comes back as the person of the seat has proven who they are.',
    errors: ['not_found', 'validation_failed', 'invalid_parameter'],
    async handle(tx, { principal }, { url, cookie, waiting }) {
      tx.later(insertPending, { ...waiting, session: principal.id })
      return { body: jsonText({ data: { url } }), cookies: [cookie] }
    },
  }),
  route({
    ...OWN,
    method: 'DELETE',
    path: '/session/identities/:id',
    summary: 'Unlink an identity',
    description: 'Other sessions of the seat that began by a provider end. Who then has no password is invited again.',
    recentProof: true,
    takes: byId('identity'),
    answers: { status: 204, body: Type.Null(), description: 'The identity was unlinked.' },
    errors: ['not_found', 'proof_required'],
    async handle(tx, { params: { id }, actor, principal, address }) {
      await unlinkIdentity(tx, { seat: String(actor.seat), id, keep: principal.id, address })
      return NO_BODY
    },
  }),
]
