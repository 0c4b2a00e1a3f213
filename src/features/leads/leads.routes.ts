import Type from 'typebox'
import { uuid } from '../../catalogue/kinds.ts'
import { termKey } from '../../catalogue/term-key.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, itemOf, noSuch, versionedData } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { companyAttribute, takesAttributes, writeShape } from '../../records/attributes.ts'
import { searchConditions } from '../../records/search.ts'
import { CustomerShape, readCustomerText } from '../customers/reads/customer-text.ts'
import { readTripText, TripShape } from '../trips/reads/trip-text.ts'
import { type Conversion, convertLead } from './commands/convert-lead.ts'
import { changeLead, createLead } from './commands/save-lead.ts'
import { transitionLead } from './commands/transition-lead.ts'
import { leadAttributes, newLeadAttributes, newTripAttributes, transitionAttributes } from './lead-attributes.ts'
import { listLeads, lockLead, readLead } from './leads.store.ts'
import { leadDetail, leadItem } from './leads.view.ts'
import { STAGES } from './stages.ts'

const TAG = { name: 'Leads', description: 'Potential customers: stages, score and conversion.' }
const FULL = ['full'] as const
const SCOPES = ['open', 'closed', 'stale', 'mine'] as const
const Lead = viewSchema(leadDetail, 'Lead')
const answers = { status: 200, body: Type.Object({ data: Lead }), description: 'The lead.' } as const
const company_id = companyAttribute('If omitted from a new lead, the company of the key owner’s branch.')
const NewAttributes = Type.Object({ ...writeShape(newLeadAttributes), company_id }, { title: 'New lead' })
const Attributes = Type.Partial(
  Type.Object({ ...writeShape(leadAttributes), company_id }, { title: 'Lead attributes' }),
)

const takesConversion = {
  ...byId('lead'),
  body: Type.Object({
    customer_id: Type.Optional(Type.Unknown()),
    trip: Type.Optional(maybe(Type.Record(Type.String(), Type.Unknown()))),
  }),
  bodyInDocument: Type.Object(
    { ...writeShape({ customer_id: uuid }), trip: Type.Optional(maybe(Type.Object(writeShape(newTripAttributes)))) },
    { title: 'Conversion' },
  ),
  bodyIsOptional: true,
} as const
const Converted = Type.Object({
  data: Type.Object({ lead: Lead, customer: maybe(CustomerShape), trip: maybe(TripShape) }),
})

const noLead = () => noSuch('lead')
/** Reads the lead back as the role sees it. */
const shown = async (reader: AccountReader, { policies }: Actor, id: string) =>
  versionedData(await reader.last(readLead(policies), { id }), 'lead')
type OfLead = Pick<Input, 'actor'> & { readonly params: { readonly id: string } }
const versioned = {
  lock(tx: AccountTx, { params: { id } }: OfLead) {
    takeChangeNumber(tx)
    return tx.one(lockLead, { id })
  },
  show: (reader: AccountReader, { params, actor }: OfLead) => shown(reader, actor, params.id),
}

/** The lead, its customer and its trip; null if deleted, or for a role without access to trips. */
async function threeTexts(reader: AccountReader, policies: Policies, id: string, { customer, trip }: Conversion) {
  const [lead, ...made] = await Promise.all([
    reader.one(readLead(policies), { id }).then((found) => itemOf(found, 'lead')),
    customer === null ? null : readCustomerText(reader, policies, customer),
    trip === null ? null : readTripText(reader, policies, trip),
  ])
  return jsonObject({ data: jsonObject({ lead, customer: made[0], trip: made[1] }) })
}

export const leadRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/leads',
    tag: TAG,
    summary: 'List leads',
    description:
      'Most recently updated first. Leads that change while you page through the list appear again at the end, so none is missed. `q` searches name, e-mail and phone; it finds nothing for a role that does not see them. `scope` is `open`, `closed` (won or lost), `stale` (open and unchanged for 14 days) or `mine` (assigned to the principal of the key).',
    scope: FULL,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        stage: Type.Optional(enumOf(STAGES)),
        source: Type.Optional(Text(60)),
        assigned_to_id: Type.Optional(Uuid),
        scope: Type.Optional(enumOf(SCOPES)),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(leadItem, 'Lead in a list')),
      description: 'A page of leads.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor: { policies, seat }, page }) {
      const q = query.q?.trim() || undefined
      const sought = searchConditions(q, policies)
      if (!sought) return listText(page)
      const { stage, source, assigned_to_id, scope } = query
      const filters = { stage, source: source && termKey(source), assigned_to_id, ...(scope && { [scope]: true }) }
      return listText(page, await listLeads(reader, policies, page, { ...sought, ...filters }, { q, seat }))
    },
  }),
  route({
    method: 'POST',
    path: '/leads',
    tag: TAG,
    summary: 'Create a lead',
    description: 'Duplicates are not detected. To upsert leads by your own ids, use the import.',
    scope: FULL,
    policy: 'manage_leads',
    takes: takesAttributes('lead', newLeadAttributes, NewAttributes),
    answers: { ...answers, status: 201 },
    versioned: true,
    errors: ['validation_failed', 'unknown_company'],
    handle: async (tx, { body, actor }) => shown(tx, actor, await createLead(tx, actor, body.lead)),
  }),
  route({
    method: 'GET',
    path: '/leads/:id',
    tag: TAG,
    summary: 'Read a lead',
    scope: FULL,
    policy: null,
    takes: byId('lead'),
    answers,
    versioned: true,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
  ...patchAndPut({
    path: '/leads/:id',
    tag: TAG,
    summary: 'Update a lead',
    description:
      'Omitted attributes keep their values; null clears them. To change the stage, use the transition. A converted lead cannot be changed. Attributes that the role does not see are refused; only the null that the role reads may be sent back, and it changes nothing.',
    scope: FULL,
    policy: 'manage_leads',
    takes: { ...byId('lead'), ...takesAttributes('lead', leadAttributes, Attributes) },
    answers,
    versioned,
    errors: ['not_found', 'validation_failed', 'unknown_company', 'lead_converted'],
    async handle(tx, { params, body, actor }) {
      if (!(await changeLead(tx, actor, params.id, body.lead))) throw noLead()
      return shown(tx, actor, params.id)
    },
  }),
  route({
    method: 'PATCH',
    path: '/leads/:id/transition',
    tag: TAG,
    summary: 'Move a lead to another stage',
    description:
      'From an open stage (inbox, qualified, nurturing, proposal), a lead can move to another open stage, to won, or with a reason to lost. A lost lead can move to any open stage, and a won lead to proposal. A move to the current stage is refused. A converted lead cannot be moved.',
    scope: FULL,
    policy: 'manage_leads',
    takes: {
      ...byId('lead'),
      body: Type.Record(Type.String(), Type.Unknown()),
      bodyInDocument: Type.Object(writeShape(transitionAttributes), { title: 'Transition' }),
    },
    answers,
    versioned,
    errors: ['not_found', 'validation_failed', 'lead_converted'],
    async handle(tx, { params, body, actor }) {
      if (!(await transitionLead(tx, actor, params.id, body))) throw noLead()
      return shown(tx, actor, params.id)
    },
  }),
  route({
    method: 'POST',
    path: '/leads/:id/convert',
    tag: TAG,
    summary: 'Convert a lead',
    description:
      'Creates a trip and, if needed, a customer from a lead in any stage. A lead is converted once; a second request returns the same records. The customer is the one in the request; otherwise the one named by the import of the lead; otherwise the only customer of the company with the same e-mail and a matching name; otherwise a new one. Only empty attributes of an existing customer are filled. A customer whose e-mail the role does not see is neither matched nor filled. Dates, destinations and advisor of the trip default to those of the lead. The trip has one day for each date, at most 366.',
    scope: FULL,
    policy: 'manage_leads',
    takes: takesConversion,
    answers: { status: 201, body: Converted, description: 'The lead, its customer and its trip.' },
    alsoAnswers: [
      {
        status: 200,
        body: Converted,
        description: 'The lead was already converted. The existing records are returned.',
      },
    ],
    errors: ['not_found', 'validation_failed', 'unknown_company'],
    async handle(tx, { params, body, actor }) {
      const conversion = await convertLead(tx, actor, params.id, body)
      if (!conversion) throw noLead()
      return {
        status: conversion.isNew ? 201 : 200,
        body: await threeTexts(tx, actor.policies, params.id, conversion),
      }
    },
  }),
]
