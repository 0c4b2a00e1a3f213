import Type from 'typebox'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { type JsonText, jsonObject } from '../../platform/json-text.ts'
import { Identity } from './reads/identity.ts'

const SEATS = 50
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

const workspace = statement(
  { account: pg.integer },
  { body: pg.printedJson },
  `
  select json_build_object(
    'account', json_build_object('id', a.account_id, 'name', a.name, 'time_zone', a.time_zone),
    'companies', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'default', c.is_default, 'tax_country', c.tax_country, 'currency', c.currency)
      order by c.is_default desc, c.name, c.id), '[]') from companies c where c.account_id = a.account_id and c.active),
    'branches', (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'code', b.code, 'company_id', b.company_id, 'headquarters', b.is_headquarters)
      order by b.is_headquarters desc, b.name, b.id), '[]') from branches b where b.account_id = a.account_id))::text as body
  from accounts a where a.account_id = $account`,
)

const seats = statement(
  { account: pg.integer, q: pg.text },
  { body: pg.printedJson },
  `
  select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'email', s.email) order by fold(coalesce(s.name, '')), s.id), '[]')::text as body from (
    select id, name, email from seats where account_id = $account and active
      and ($q = '' or strpos(fold(coalesce(name, '')), fold($q)) > 0 or strpos(fold(email), fold($q)) > 0)
    order by fold(coalesce(name, '')), id limit ${SEATS}) s`,
)

/** Of a statement that always has a row. */
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
    handle: (_, { key, now }) => key.identityAt(now),
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
        data: Type.Array(Type.Object({ id: Uuid, name: maybe(Name), email: maybe(Name) }), { maxItems: SEATS }),
      }),
    },
    errors: ['invalid_parameter'],
    handle: async (reader, { query }) => {
      const found = await reader.one(seats, { q: query.q?.trim() ?? '' })
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
    handle: async (reader) => textOf(await reader.one(workspace, {})),
  }),
]
