import Type from 'typebox'
import { hashToken } from '../../../platform/access/token.ts'
import type { Database } from '../../../platform/db/database.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { openRoute, type Route } from '../../../platform/http/route.ts'
import { Text, Uuid } from '../../../platform/http/shapes.ts'
import { jsonText } from '../../../platform/json-text.ts'
import { type FoundLink, findSignInLink } from '../credentials.store.ts'
import { finish } from './finish.ts'
import { insertPending, takePending } from './pending.store.ts'
import { type ProviderTools, pendingCookie, pendingKey, preparePending, proofsOf, registeredClient } from './pending.ts'
import { callbackAddress } from './provider-addresses.ts'
import { findActiveProvider, listActiveProviders } from './providers.store.ts'
import { CONSOLE } from './return-path.ts'
import { ownPath, PROVIDER, prepared, problemPath, ReturnTo, SENT, sentTo, signInPath } from './sent.ts'

const OPEN = { tag: { name: 'Signing in', description: 'How a person begins a session of the console.' } } as const
const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'
const ACCOUNT = '[123]\\d{7}'
const Account = Type.Integer({ minimum: 10_000_000, maximum: 39_999_999 })
const Offered = Type.Object({ id: Uuid, name: Text(200) })
const PROVIDERS = {
  status: 200,
  body: Type.Object({ data: Type.Array(Offered, { maxItems: 100 }) }),
  description: 'The providers.',
} as const
const LinkToken = Type.String({ minLength: 1, maxLength: 200, description: 'The token of an invitation.' })
const SENT_ON = { status: 303, body: Type.Null(), description: 'The browser is sent on.' } as const

async function invitationOf(db: Database, token: string): Promise<FoundLink> {
  const [found] = await db.askSystem('find a sign-in link', findSignInLink, { hash: hashToken(token) })
  if (found?.purpose === 'invitation') return found
  throw new ApiError('not_found', 'This invitation was used or has expired. Ask for another one.')
}

const leaving = (own: ProviderTools): readonly Route[] => [
  openRoute({
    ...OPEN,
    method: 'GET',
    path: '/sign_in/providers',
    summary: 'List the providers of an account',
    description: 'By which its people can sign in; none for an account that is unknown.',
    takes: { query: Type.Object({ account: Account }) },
    answers: PROVIDERS,
    errors: ['invalid_parameter'],
    handle: async ({ db }, { query }) =>
      jsonText({ data: await db.askSystem('list the providers of an account', listActiveProviders, query) }),
  }),
  openRoute({
    ...OPEN,
    method: 'GET',
    path: '/sign_in/oidc/:provider/start',
    summary: 'Go to a provider to sign in',
    description:
      'For the id of a provider, or the number of an account that has one. Who is back from it within ten minutes, in the same browser, is signed in.',
    takes: {
      params: Type.Object({ provider: Type.String({ pattern: `^(${UUID}|${ACCOUNT})$`, maxLength: 36 }) }),
      query: Type.Object({ return_to: ReturnTo }),
    },
    answers: SENT_ON,
    errors: ['not_found', 'invalid_parameter'],
    async handle({ db }, { params: { provider: named }, query, publicUrl, address }) {
      const returnTo = ownPath(query.return_to)
      const isAccount = new RegExp(`^${ACCOUNT}$`).test(named)
      const account = Number(named)
      const offered = isAccount
        ? await db.askSystem('list the providers of an account', listActiveProviders, { account })
        : [{ id: named }]
      if (offered.length > 1) return sentTo(`${CONSOLE}sign-in?account=${named}`)
      const [only] = offered
      const [provider] = only ? await db.askSystem('find a provider', findActiveProvider, { id: only.id }) : []
      if (!provider) return sentTo(signInPath('unknown_provider'))
      try {
        const { url, cookie, row } = await preparePending(own, publicUrl, provider)
        const waiting = { ...row, purpose: 'sign_in', link: null, session: null, returnTo } as const
        await db.inAccount(provider.account, async (tx) => tx.later(insertPending, waiting), {
          name: 'a person who signs in',
          source: address,
        })
        return sentTo(url, [cookie])
      } catch (error) {
        return sentTo(problemPath(error, provider.account, false))
      }
    },
  }),
  openRoute({
    ...OPEN,
    method: 'POST',
    path: '/sign_in/link/providers',
    summary: 'List the providers of an invitation',
    description: 'By which its person can accept it.',
    takes: { body: Type.Object({ token: LinkToken }) },
    answers: PROVIDERS,
    errors: ['not_found', 'validation_failed'],
    async handle({ db }, { body }) {
      const { account } = await invitationOf(db, body.token)
      return jsonText({
        data: await db.askSystem('list the providers of an account', listActiveProviders, { account }),
      })
    },
  }),
  openRoute({
    ...OPEN,
    method: 'POST',
    path: '/sign_in/link/provider',
    summary: 'Accept an invitation by a provider',
    description:
      'The person who then signs in to the provider is linked to the seat, once and for all, and the invitation is used.',
    takes: { body: Type.Object({ token: LinkToken, ...PROVIDER }) },
    answers: SENT,
    errors: ['not_found', 'validation_failed', 'invalid_parameter'],
    async handle({ db }, { body, publicUrl, address }) {
      const returnTo = ownPath(body.return_to)
      const found = await invitationOf(db, body.token)
      const [provider] = await db.askSystem('find a provider', findActiveProvider, { id: body.provider_id })
      if (provider?.account !== found.account) throw noSuch('provider')
      const { url, cookie, row } = await prepared(own, publicUrl, provider)
      const waiting = { ...row, purpose: 'invitation', link: found.id, session: null, returnTo } as const
      await db.inAccount(found.account, async (tx) => tx.later(insertPending, waiting), {
        name: `seat ${found.seat}`,
        source: address,
        seat: found.seat,
      })
      return { body: jsonText({ data: { url } }), cookies: [cookie] }
    },
  }),
]

const returning = (own: ProviderTools): readonly Route[] => [
  openRoute({
    ...OPEN,
    method: 'GET',
    path: '/sign_in/oidc/:provider/callback',
    summary: 'Come back from a provider',
    description: 'Where a provider sends browsers with its answer, which is good once and in the browser that began.',
    takes: {
      params: Type.Object({ provider: Type.String({ pattern: `^${UUID}$`, maxLength: 36 }) }),
      // Providers add parameters of their own.
      query: Type.Object({ state: Type.Optional(Text(200)) }, { additionalProperties: Text(8000) }),
    },
    answers: SENT_ON,
    errors: ['not_found', 'invalid_parameter'],
    async handle(tools, input) {
      const { publicUrl, headers, query, params } = input
      const cookie = pendingCookie(publicUrl)
      const [id, token, state] = [params.provider.toLowerCase(), cookie.read(headers.cookie), query.state ?? '']
      const key = { provider: id, ...pendingKey(state, token) }
      const [pending] = await tools.db.askSystem('take a pending sign-in', takePending, key)
      if (!pending) return sentTo(signInPath('expired'))
      const forget = cookie.write('', 0)
      const [provider] = await tools.db.askSystem('find a provider', findActiveProvider, { id })
      if (!provider) return sentTo(signInPath('unknown_provider', pending.account), [forget])
      try {
        const answer = query as Readonly<Record<string, string>>
        const client = registeredClient(provider, own.providerSecrets)
        const proofs = proofsOf(state, token)
        const subject = await own.issuers.subjectOf(client, callbackAddress(publicUrl, id), answer, proofs)
        const { account, counts_as_second_factor: secondFactor } = provider
        const cookies = await finish(tools, input, pending, { account, provider: id, subject, secondFactor })
        return sentTo(pending.return_to, [...cookies, forget])
      } catch (error) {
        return sentTo(problemPath(error, provider.account, 'error' in query), [forget])
      }
    },
  }),
]

export const browserRoutes = (tools: ProviderTools): readonly Route[] => [...leaving(tools), ...returning(tools)]
