import Type, { type TSchema } from 'typebox'
import type { Fields } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/database.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { MAXIMUM_LIMIT, type Route, route } from '../../platform/http/route.ts'
import { byId, noSuch, PageShape, pageText, paging, wire } from '../wire.ts'
import { deleteCustomer } from './commands/delete-customer.ts'
import { mergeCustomers } from './commands/merge-customers.ts'
import { changeCustomer, createCustomer } from './commands/save-customer.ts'
import { customerAttributes } from './customer-attributes.ts'
import { type CustomerFilter, INDEXED_LETTERS, listCustomers, listTravelers, readCustomer } from './customers.store.ts'
import { customerDetail, customerItem, LIFECYCLE_STAGES, VIP_TIERS } from './customers.view.ts'
import { listDuplicates } from './duplicates.store.ts'
import { travelerItem } from './travelers.view.ts'

const TAG = 'Customers'
const scope = ['full'] as const
const Whole = Type.Object({ data: viewSchema(customerDetail, 'Customer') })
const Attributes = Type.Object(
  {
    ...wire(customerAttributes as Fields),
    company_id: Type.Optional(
      Type.String({
        format: 'uuid',
        maxLength: 36,
        description: 'The company of the key owner’s branch when omitted.',
      }),
    ),
  },
  { title: 'Customer attributes' },
)
const body = Type.Object({ customer: Type.Record(Type.String(), Type.Unknown()) })
const takesCustomer = { body, bodyInDocument: Type.Object({ customer: Attributes as TSchema }) }
const noCustomer = () => noSuch('customer')

/** Reads the customer back as the role sees it. */
async function shown(tx: AccountReader, policies: Policies, id: string): Promise<string> {
  const found = await tx.last(readCustomer(policies), { id })
  if (!found) throw noCustomer()
  return `{"data":${found.item}}`
}

export const customerRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/customers',
    tag: TAG,
    summary: 'List customers',
    description: 'Newest first. `q` looks through name, e-mail and phone; a role that sees none of them finds nobody.',
    scope,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Type.String({ maxLength: 200 })),
        company_id: Type.Optional(Type.String({ format: 'uuid', maxLength: 36 })),
        vip_tier: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...VIP_TIERS] })),
        lifecycle_stage: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...LIFECYCLE_STAGES] })),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Array(viewSchema(customerItem, 'Customer in a list'), { maxItems: MAXIMUM_LIMIT }),
        page: PageShape,
      }),
      description: 'A page of customers.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor: { policies }, page }) {
      const { company_id, vip_tier, lifecycle_stage } = query
      const q = query.q?.trim() || undefined
      if (q !== undefined && !policies.has('view_personal_data')) return `{"data":[],${pageText(page)}}`
      const given = { q, company_id, vip_tier, lifecycle_stage }
      const filters = (Object.keys(given) as CustomerFilter[]).filter((name) => given[name] !== undefined)
      const names = [...filters, ...(q !== undefined && !policies.has('view_restricted_customers') ? ['known'] : [])]
      const input = {
        ...Object.fromEntries(filters.map((name) => [name, given[name]])),
        limit: page.limit,
        ...(page.after && { after: page.after }),
      }
      const list = (how: string[]) =>
        reader.one(listCustomers(policies, [...names, ...how, ...(page.after ? ['after'] : [])].join(' ')), input)
      const isNarrow = vip_tier !== undefined || lifecycle_stage !== undefined
      const isIndexed = q !== undefined && q.length >= INDEXED_LETTERS && !isNarrow
      const recent = isIndexed ? await list(['recent']) : undefined
      const found = recent?.more ? recent : await list(isIndexed ? ['matching'] : [])
      return `{"data":[${found?.items ?? ''}],${pageText(page, found)}}`
    },
  }),
  route({
    method: 'POST',
    path: '/customers',
    tag: TAG,
    summary: 'Create a customer',
    description: 'No deduplication: to upsert with your own ids, import customers.',
    scope,
    policy: 'manage_customers',
    takes: takesCustomer,
    answers: { status: 201, body: Whole, description: 'The customer.' },
    errors: ['validation_failed', 'unknown_company'],
    handle: async (tx, { body, actor }) => shown(tx, actor.policies, createCustomer(tx, actor, body.customer)),
  }),
  route({
    method: 'GET',
    path: '/customers/duplicates',
    tag: TAG,
    summary: 'List customers who may be one',
    description:
      'Pairs that have an e-mail, a phone, a tax number, or name and birthday in common. A role that sees no personal data finds none.',
    scope,
    policy: null,
    takes: { query: Type.Object({ ...paging }) },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Array(
          Type.Object({
            customers: Type.Array(viewSchema(customerItem, 'Customer in a list'), { maxItems: 2 }),
            reasons: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 4 }),
          }),
          { maxItems: MAXIMUM_LIMIT },
        ),
        page: PageShape,
      }),
      description: 'A page of pairs.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { actor: { policies }, page }) {
      if (!policies.has('view_personal_data')) return `{"data":[],${pageText(page)}}`
      const list = listDuplicates(policies, page.after ? 'after' : '')
      const found = await reader.one(list, { limit: page.limit, ...(page.after && { after: page.after }) })
      return `{"data":[${found?.items ?? ''}],${pageText(page, found)}}`
    },
  }),
  route({
    method: 'POST',
    path: '/customers/:id/merge',
    tag: TAG,
    summary: 'Merge a customer into another',
    description:
      'Everything of this customer becomes the other’s, which keeps what it has and takes over what it lacks. This one is not found from then on, and its external ids lead to the other.',
    scope,
    policy: 'manage_customers',
    takes: { ...byId('customer'), body: Type.Object({ into_id: Type.String({ format: 'uuid', maxLength: 36 }) }) },
    answers: { status: 200, body: Whole, description: 'The customer that stays.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor }) {
      if (!(await mergeCustomers(tx, params.id.toLowerCase(), body.into_id.toLowerCase()))) throw noCustomer()
      return shown(tx, actor.policies, body.into_id)
    },
  }),
  route({
    method: 'GET',
    path: '/customers/:id/travelers',
    tag: TAG,
    summary: 'Read the traveller directory of a customer',
    description: 'The people that a customer travels with, or is; bookings fill it. By name, at most 1,000.',
    scope,
    policy: null,
    takes: byId('customer'),
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(viewSchema(travelerItem, 'Traveller'), { maxItems: 1000 }) }),
      description: 'The travellers.',
    },
    errors: ['not_found'],
    async handle(reader, { params, actor }) {
      const found = await reader.one(listTravelers(actor.policies), { id: params.id })
      if (!found) throw noCustomer()
      return `{"data":[${found.items ?? ''}]}`
    },
  }),
  route({
    method: 'GET',
    path: '/customers/:id',
    tag: TAG,
    summary: 'Read a customer',
    scope,
    policy: null,
    takes: byId('customer'),
    answers: { status: 200, body: Whole, description: 'The customer.' },
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
  ...(['PATCH', 'PUT'] as const).map((method) =>
    route({
      method,
      path: '/customers/:id',
      tag: TAG,
      summary: 'Change a customer',
      description: 'What is left out stays; null empties. `tags` replaces the whole set.',
      scope,
      policy: 'manage_customers',
      takes: { ...byId('customer'), ...takesCustomer },
      answers: { status: 200, body: Whole, description: 'The customer.' },
      errors: ['not_found', 'validation_failed', 'unknown_company'],
      async handle(tx, { params, body, actor }) {
        if (!(await changeCustomer(tx, actor, params.id, body.customer))) throw noCustomer()
        return shown(tx, actor.policies, params.id)
      },
    }),
  ),
  route({
    method: 'DELETE',
    path: '/customers/:id',
    tag: TAG,
    summary: 'Delete a customer',
    description: 'Refused while open bookings name the customer.',
    scope,
    policy: 'manage_customers',
    takes: byId('customer'),
    answers: { status: 204, body: Type.Null(), description: 'The customer is gone.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params }) {
      if (!(await deleteCustomer(tx, params.id))) throw noCustomer()
      return ''
    },
  }),
]
