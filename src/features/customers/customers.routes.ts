import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch, versionedData } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject, NO_BODY } from '../../platform/json-text.ts'
import { companyAttribute, takesAttributes, writeShape } from '../../records/attributes.ts'
import type { CustomerMove } from '../../records/customer-move.ts'
import { type CountOpenBookings, deleteCustomer } from './commands/delete-customer.ts'
import { mergeCustomers } from './commands/merge-customers.ts'
import { changeCustomer, createCustomer } from './commands/save-customer.ts'
import { customerAttributes, LIFECYCLE_STAGES, VIP_TIERS } from './customer-attributes.ts'
import { listCustomers, listTravelers, lockCustomer, readCustomer } from './customers.store.ts'
import { customerItem } from './customers.view.ts'
import { listDuplicates } from './duplicates.store.ts'
import { CustomerShape } from './reads/customer-text.ts'
import { travelerItem } from './travelers.view.ts'

export const CUSTOMERS_TAG = { name: 'Customers', description: 'Customers, with notes and a traveller directory.' }
const scope = ['full'] as const
const Whole = Type.Object({ data: CustomerShape })
const Attributes = Type.Object(
  {
    ...writeShape(customerAttributes),
    company_id: companyAttribute('If omitted, the company of the key owner’s branch.'),
  },
  { title: 'Customer attributes' },
)
const takesCustomer = takesAttributes('customer', customerAttributes, Attributes)
const noCustomer = () => noSuch('customer')

/** Reads the customer back as the role sees it. */
const shown = async (reader: AccountReader, policies: Policies, id: string) =>
  versionedData(await reader.last(readCustomer(policies), { id }), 'customer')
type OfCustomer = Pick<Input, 'actor'> & { readonly params: { readonly id: string } }
const versioned = {
  lock(tx: AccountTx, { params: { id } }: OfCustomer) {
    takeChangeNumber(tx)
    return tx.one(lockCustomer, { id })
  },
  show: (reader: AccountReader, { params, actor }: OfCustomer) => shown(reader, actor.policies, params.id),
}

const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/customers',
    tag: CUSTOMERS_TAG,
    summary: 'List customers',
    description:
      'Newest first. `q` searches name, e-mail and phone; it finds nothing for a role that does not see them.',
    scope,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        company_id: Type.Optional(Uuid),
        vip_tier: Type.Optional(enumOf(VIP_TIERS)),
        lifecycle_stage: Type.Optional(enumOf(LIFECYCLE_STAGES)),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(customerItem, 'Customer in a list')),
      description: 'A page of customers.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor: { policies }, page }) {
      const { q, company_id, vip_tier, lifecycle_stage } = query
      const filters = { company_id, vip_tier, lifecycle_stage }
      return listText(page, await listCustomers(reader, policies, page, q?.trim() || undefined, filters))
    },
  }),
  route({
    method: 'POST',
    path: '/customers',
    tag: CUSTOMERS_TAG,
    summary: 'Create a customer',
    description: 'Duplicates are not detected. To upsert customers by your own ids, use the import.',
    scope,
    policy: 'manage_customers',
    takes: takesCustomer,
    answers: { status: 201, body: Whole, description: 'The customer.' },
    versioned: true,
    errors: ['validation_failed', 'unknown_company'],
    handle: async (tx, { body, actor }) => shown(tx, actor.policies, createCustomer(tx, actor, body.customer)),
  }),
  route({
    method: 'GET',
    path: '/customers/duplicates',
    tag: CUSTOMERS_TAG,
    summary: 'List possible duplicates',
    description:
      'Pairs of customers with the same e-mail, phone, tax number, or name and birthday. Empty for a role that does not see personal data.',
    scope,
    policy: null,
    takes: { query: Type.Object({ ...paging }) },
    answers: {
      status: 200,
      body: listOf(
        Type.Object({
          customers: Type.Array(viewSchema(customerItem, 'Customer in a list'), { maxItems: 2 }),
          reasons: Texts(4, 40),
        }),
      ),
      description: 'A page of pairs.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { actor: { policies }, page }) {
      if (!policies.has('view_personal_data')) return listText(page)
      return listText(page, await listDuplicates(reader, policies, page, {}))
    },
  }),
  route({
    method: 'GET',
    path: '/customers/:id/travelers',
    tag: CUSTOMERS_TAG,
    summary: 'List the travellers of a customer',
    description:
      'The traveller directory: the customer and the people who travel with them, as filled by bookings. By name, at most 1,000. Empty for a role that does not see personal data.',
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
      return jsonObject({ data: found.items })
    },
  }),
  route({
    method: 'GET',
    path: '/customers/:id',
    tag: CUSTOMERS_TAG,
    summary: 'Read a customer',
    scope,
    policy: null,
    takes: byId('customer'),
    answers: { status: 200, body: Whole, description: 'The customer.' },
    versioned: true,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
  ...patchAndPut({
    path: '/customers/:id',
    tag: CUSTOMERS_TAG,
    summary: 'Update a customer',
    description:
      'Omitted attributes keep their values; null clears them. `tags` replaces the whole set. Attributes that the role does not see are refused; only the null that the role reads may be sent back, and it changes nothing.',
    scope,
    policy: 'manage_customers',
    takes: { ...byId('customer'), ...takesCustomer },
    answers: { status: 200, body: Whole, description: 'The customer.' },
    versioned,
    errors: ['not_found', 'validation_failed', 'unknown_company'],
    async handle(tx, { params, body, actor }) {
      if (!(await changeCustomer(tx, actor, params.id, body.customer))) throw noCustomer()
      return shown(tx, actor.policies, params.id)
    },
  }),
]

const merging = (moves: readonly CustomerMove[]): Route =>
  route({
    method: 'POST',
    path: '/customers/:id/merge',
    tag: CUSTOMERS_TAG,
    summary: 'Merge two customers',
    description:
      'Moves all records of this customer to the customer in the body, and fills the empty attributes of that customer. This customer is no longer found, and its external ids lead to the other one. The role needs `view_personal_data`, and `view_restricted_customers` if one of the two has a restricted tag.',
    scope,
    policy: 'manage_customers',
    takes: { ...byId('customer'), body: Type.Object({ into_id: Uuid }) },
    answers: { status: 200, body: Whole, description: 'The remaining customer.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor }) {
      const [loser, into] = [params.id.toLowerCase(), body.into_id.toLowerCase()]
      if (!(await mergeCustomers(tx, actor.policies, { loser, into }, moves))) throw noCustomer()
      return shown(tx, actor.policies, body.into_id)
    },
  })

const deletion = (countOpenBookings: CountOpenBookings): Route =>
  route({
    method: 'DELETE',
    path: '/customers/:id',
    tag: CUSTOMERS_TAG,
    summary: 'Delete a customer',
    description: 'Refused while the customer has open bookings.',
    scope,
    policy: 'manage_customers',
    takes: byId('customer'),
    answers: { status: 204, body: Type.Null(), description: 'The customer was deleted.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params }) {
      if (!(await deleteCustomer(tx, countOpenBookings, params.id))) throw noCustomer()
      return NO_BODY
    },
  })

type CustomerTools = {
  readonly countOpenBookings: CountOpenBookings
  readonly customerMoves: readonly CustomerMove[]
}

export const customerRoutes = ({ countOpenBookings, customerMoves }: CustomerTools): readonly Route[] => [
  ...routes,
  merging(customerMoves),
  deletion(countOpenBookings),
]
