import Type from 'typebox'
import { type Route, route } from '../../platform/http/route.ts'
import { maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { type JsonText, jsonObject } from '../../platform/json-text.ts'
import { Identity } from './reads/identity.ts'
import { ACTIVE_SEATS, listActiveSeats, readWorkspace } from './workspace.store.ts'

const TAG = { name: 'Account', description: 'Identity of the API key, and the companies and branches of its account.' }
const Name = Text(1000)

const Workspace = Type.Object({
  account: Type.Object({ id: Type.Integer({ minimum: 10_000_000, maximum: 39_999_999 }), name: Name, time_zone: Name }),
  companies: Type.Array(
    Type.Object({ id: Uuid, name: Name, default: Type.Boolean(), tax_country: Name, currency: Name }),
    { maxItems: 10_000 },
  ),
  branches: Type.Array(
    Type.Object({ id: Uuid, name: Name, code: maybe(Name), company_id: Uuid, headquarters: Type.Boolean() }),
    { maxItems: 10_000 },
  ),
})

/** The row of a statement that always returns one. */
const textOf = (found: { readonly body: JsonText<never> } | undefined) => (found as NonNullable<typeof found>).body

export const accountRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/me',
    tag: TAG,
    summary: 'Read the identity of the key',
    description:
      'The seat that the key acts as, its account and companies, the policies of its role, and the features of its plan.',
    scope: ['full'],
    policy: null,
    takes: {},
    answers: { status: 200, body: Identity, description: 'The identity of the key.' },
    errors: [],
    // What admitted the request has read all of it already; it is at most a second old.
    handle: (_, { principal, now }) => principal.identityAt(now),
  }),
  route({
    method: 'GET',
    path: '/users',
    tag: TAG,
    summary: 'List seats',
    description: 'The active seats of the account by name, at most 50. Use their ids for `assigned_to_id`.',
    scope: ['full'],
    policy: null,
    takes: {
      query: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or e-mail; case-insensitive.' })),
      }),
    },
    answers: {
      status: 200,
      description: 'The seats.',
      body: Type.Object({
        data: Type.Array(Type.Object({ id: Uuid, name: maybe(Name), email: maybe(Name) }), { maxItems: ACTIVE_SEATS }),
      }),
    },
    errors: ['invalid_parameter'],
    handle: async (reader, { query }) => {
      const found = await reader.one(listActiveSeats, { q: query.q?.trim() ?? '' })
      return jsonObject({ data: textOf(found) })
    },
  }),
  route({
    method: 'GET',
    path: '/workspace',
    tag: TAG,
    summary: 'Read the workspace',
    description: 'The time zone of the account, its companies and all its branches.',
    scope: ['import', 'full'],
    policy: null,
    takes: {},
    answers: { status: 200, body: Workspace, description: 'The workspace.' },
    errors: [],
    handle: async (reader) => textOf(await reader.one(readWorkspace, {})),
  }),
]
