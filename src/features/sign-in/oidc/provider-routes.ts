import Type from 'typebox'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { viewSchema } from '../../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../../platform/http/by-id.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../../platform/http/paging.ts'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { StaleRecord } from '../../../platform/http/stale.ts'
import { NO_BODY } from '../../../platform/json-text.ts'
import type { Seal } from '../../../platform/seal.ts'
import { changeProvider, createProvider, removeProvider } from './commands/save-provider.ts'
import { IssuerFailure, type Issuers, issuerFault } from './issuer.ts'
import { listProviders, readProvider } from './providers.store.ts'
import { providerView } from './providers.view.ts'

const COMMON = {
  tag: {
    name: 'Sign-in providers',
    description: 'The issuers of OpenID Connect by which people of the account sign in.',
  },
  scope: null,
  policy: 'manage_settings',
} as const
/** Each asks a server that the editor names. */
const NEW_PER_MINUTE = 10
const ofProvider = byId('provider')
const Provider = viewSchema(providerView, 'SignInProvider')
const whole = { status: 200, body: Type.Object({ data: Provider }), description: 'The provider.' } as const
const Name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '\\S',
  description: 'What the sign-in page calls it.',
})
const ClientId = Type.String({ minLength: 1, maxLength: 300, pattern: '^[\\x21-\\x7e]+$' })
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'Kept sealed, and never answered.',
})
const CountsAsSecondFactor = Type.Boolean({
  description:
    'Whether signing in by it is also the second factor; true by default. If not, a session shows the second factor of its seat, or enrols one where the account demands it.',
})

type Tools = { readonly issuers: Issuers; readonly providerSecrets: Seal }

const shown = async (reader: AccountReader, { policies }: Actor, publicUrl: string, id: string) =>
  dataOf(await reader.one(readProvider(policies), { id, publicUrl }), 'provider')

function refuseIssuer(reason: string): never {
  throw new ApiError('validation_failed', 'The issuer cannot be used. See details.', { details: { issuer: [reason] } })
}
const failureOf = ({ kind, reason, message }: IssuerFailure): string =>
  kind === 'unreachable'
    ? `The issuer cannot be reached: ${message}`
    : `No configuration of OpenID Connect for exactly this issuer was found below its address (${reason}). Check the address.`

const reading: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/sign_in_providers',
    summary: 'List sign-in providers',
    description: 'In the order in which they were made.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Provider), description: 'A page of providers.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page, publicUrl }) =>
      listText(page, await listProviders(reader, actor.policies, page, {}, { publicUrl })),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/sign_in_providers/:id',
    summary: 'Read a sign-in provider',
    takes: ofProvider,
    answers: whole,
    errors: ['not_found'],
    handle: (reader, { params, actor, publicUrl }) => shown(reader, actor, publicUrl, params.id),
  }),
]

const changing = ({ issuers, providerSecrets }: Tools): readonly Route[] => [
  route({
    ...COMMON,
    method: 'POST',
    path: '/sign_in_providers',
    summary: 'Add a sign-in provider',
    description:
      'The issuer publishes its configuration below its address, which is on the public internet. Register `redirect_uri` of the answer with the provider. Whoever controls the issuer can sign in as the people who are linked to it.',
    recentProof: true,
    perMinute: NEW_PER_MINUTE,
    takes: {
      body: Type.Object({
        name: Name,
        issuer: Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Its address, such as `https://accounts.google.com`. It cannot be changed.',
        }),
        client_id: ClientId,
        client_secret: ClientSecret,
        active: Type.Optional(Type.Boolean()),
        counts_as_second_factor: Type.Optional(CountsAsSecondFactor),
      }),
    },
    answers: { status: 201, body: Type.Object({ data: Provider }), description: 'The provider.' },
    errors: ['validation_failed', 'conflict', 'proof_required'],
    async prepare({ body: { issuer, client_id: clientId, client_secret: clientSecret } }) {
      const fault = issuerFault(issuer)
      if (fault !== null) refuseIssuer(fault)
      try {
        return await issuers.confirm({ issuer, clientId, clientSecret })
      } catch (error) {
        if (error instanceof IssuerFailure) return refuseIssuer(failureOf(error))
        throw error
      }
    },
    async handle(tx, { body, actor, publicUrl }, issuer) {
      const { name, client_id: clientId, client_secret, active = true, counts_as_second_factor: counts = true } = body
      const secret = providerSecrets.seal(client_secret)
      const given = { name: name.trim(), issuer, clientId, secret, active, countsAsSecondFactor: counts }
      const id = await createProvider(tx, given)
      return shown(tx, actor, publicUrl, id)
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/sign_in_providers/:id',
    summary: 'Change a sign-in provider',
    description:
      'Omitted attributes keep their values. `active: false` lets no more people sign in by it. This, and `counts_as_second_factor: false`, end the sessions that began by it.',
    recentProof: true,
    takes: {
      ...ofProvider,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Type.Optional(Name),
        client_id: Type.Optional(ClientId),
        client_secret: Type.Optional(ClientSecret),
        active: Type.Optional(Type.Boolean()),
        counts_as_second_factor: Type.Optional(CountsAsSecondFactor),
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'stale', 'proof_required'],
    async handle(tx, { params: { id }, body, actor, publicUrl }) {
      const { version, name, client_id: clientId, client_secret, active, counts_as_second_factor: counts } = body
      const secret = client_secret === undefined ? undefined : providerSecrets.seal(client_secret)
      const change = { name: name?.trim(), clientId, secret, active, countsAsSecondFactor: counts }
      await changeProvider(tx, id, change, async (stored) => {
        if (stored === version) return
        throw new StaleRecord(itemOf(await tx.one(readProvider(actor.policies), { id, publicUrl }), 'provider'))
      })
      return shown(tx, actor, publicUrl, id)
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/sign_in_providers/:id',
    summary: 'Delete a sign-in provider',
    description: 'Its people are no longer linked to it, and sessions that began by it end.',
    recentProof: true,
    takes: ofProvider,
    answers: { status: 204, body: Type.Null(), description: 'The provider was deleted.' },
    errors: ['not_found', 'proof_required'],
    async handle(tx, { params }) {
      await removeProvider(tx, params.id)
      return NO_BODY
    },
  }),
]

export const providerRoutes = (tools: Tools): readonly Route[] => [...reading, ...changing(tools)]
