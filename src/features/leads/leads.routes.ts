import Type, { type TSchema } from 'typebox'
import { termKey } from '../../catalogue/taxonomies.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader } from '../../platform/db/database.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { MAXIMUM_LIMIT, type Route, route } from '../../platform/http/route.ts'
import { CustomerShape, readCustomerText } from '../customers/commands/read-customer.ts'
import { maybe, oneOf, Text, Uuid } from '../shapes.ts'
import { readTripText, TripShape } from '../trips/commands/read-trip.ts'
import { byId, noSuch, PageShape, pageText, paging, wire } from '../wire.ts'
import { type Conversion, convertLead } from './commands/convert-lead.ts'
import { changeLead, createLead } from './commands/save-lead.ts'
import { transitionLead } from './commands/transition-lead.ts'
import { conversionAttributes, leadAttributes, newLeadAttributes, transitionAttributes } from './lead-attributes.ts'
import { type LeadCondition, listLeads, readLead } from './leads.store.ts'
import { leadDetail, leadItem } from './leads.view.ts'
import { STAGES } from './stages.ts'

const TAG = 'Leads'
const scope = ['full'] as const
const SCOPES = ['open', 'closed', 'stale', 'mine'] as const
const Lead = viewSchema(leadDetail, 'Lead')
const answers = { status: 200, body: Type.Object({ data: Lead }), description: 'The lead.' } as const
const company_id = Type.Optional(
  Type.String({
    format: 'uuid',
    maxLength: 36,
    description: 'The company of the key owner’s branch when a new lead names none.',
  }),
)
const takesLead = (attributes: TSchema) => ({
  body: Type.Object({ lead: Type.Record(Type.String(), Type.Unknown()) }),
  bodyInDocument: Type.Object({ lead: attributes }),
})
const NewAttributes = Type.Object({ ...wire(newLeadAttributes), company_id }, { title: 'New lead' })
const Attributes = Type.Partial(Type.Object({ ...wire(leadAttributes), company_id }, { title: 'Lead attributes' }))

const { customer_id: customerId, ...tripAttributes } = conversionAttributes
const takesConversion = {
  ...byId('lead'),
  body: Type.Object({
    customer_id: Type.Optional(Type.Unknown()),
    trip: Type.Optional(maybe(Type.Record(Type.String(), Type.Unknown()))),
  }),
  bodyInDocument: Type.Object(
    { ...wire({ customer_id: customerId }), trip: Type.Optional(maybe(Type.Object(wire(tripAttributes)))) },
    { title: 'Conversion' },
  ),
  bodyIsOptional: true,
} as const
const Converted = Type.Object({
  data: Type.Object({ lead: Lead, customer: maybe(CustomerShape), trip: maybe(TripShape) }),
})

const noLead = () => noSuch('lead')
const textOf = (found: { item: string } | undefined): string => {
  if (!found) throw noLead()
  return found.item
}
/** Reads the lead back as the role sees it. */
const shown = async (reader: AccountReader, { policies }: Actor, id: string): Promise<string> =>
  `{"data":${textOf(await reader.last(readLead(policies), { id }))}}`

/** The lead, its customer and its trip; null where there is none any more, or for a role that sees no trips. */
async function threeTexts(reader: AccountReader, policies: Policies, id: string, { customer, trip }: Conversion) {
  const [lead, ...made] = await Promise.all([
    reader.one(readLead(policies), { id }).then(textOf),
    customer && readCustomerText(reader, policies, customer),
    trip && readTripText(reader, policies, trip),
  ])
  return `{"data":{"lead":${lead},"customer":${made[0]},"trip":${made[1]}}}`
}

export const leadRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/leads',
    tag: TAG,
    summary: 'List leads',
    description:
      'Most recently updated first. Leads that change while you page come again at the end, so none is missed. `q` looks through name, e-mail and phone; a role that sees none of them finds nobody. `scope`: `open`, `closed` (won or lost), `stale` (open, and untouched for 14 days) or `mine` (of the key’s principal).',
    scope,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        stage: Type.Optional(oneOf(STAGES)),
        source: Type.Optional(Text(60)),
        assigned_to_id: Type.Optional(Uuid),
        scope: Type.Optional(oneOf(SCOPES)),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Array(viewSchema(leadItem, 'Lead in a list'), { maxItems: MAXIMUM_LIMIT }),
        page: PageShape,
      }),
      description: 'A page of leads.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor: { policies, seat }, page }) {
      const { stage, assigned_to_id } = query
      const given = {
        q: query.q?.trim() || undefined,
        stage,
        source: query.source && termKey(query.source),
        assigned_to_id,
      }
      const filters = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined)
      if (given.q !== undefined && !policies.has('view_personal_data')) return `{"data":[],${pageText(page)}}`
      const conditions: (LeadCondition | 'after')[] = [...filters]
      if (query.scope) conditions.push(query.scope as LeadCondition)
      if (given.q !== undefined && !policies.has('view_restricted_customers')) conditions.push('known')
      if (page.after) conditions.push('after')
      const found = await reader.one(listLeads(policies, conditions.join(' ')), {
        ...Object.fromEntries(filters.map((name) => [name, given[name]])),
        seat,
        limit: page.limit,
        ...(page.after && { after: page.after }),
      })
      return `{"data":[${found?.items ?? ''}],${pageText(page, found)}}`
    },
  }),
  route({
    method: 'POST',
    path: '/leads',
    tag: TAG,
    summary: 'Create a lead',
    description: 'No deduplication: to upsert with your own ids, import leads.',
    scope,
    policy: 'manage_leads',
    takes: takesLead(NewAttributes),
    answers: { ...answers, status: 201 },
    errors: ['validation_failed', 'unknown_company'],
    handle: async (tx, { body, actor }) => shown(tx, actor, await createLead(tx, actor, body.lead)),
  }),
  route({
    method: 'GET',
    path: '/leads/:id',
    tag: TAG,
    summary: 'Read a lead',
    scope,
    policy: null,
    takes: byId('lead'),
    answers,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor, params.id),
  }),
  ...(['PATCH', 'PUT'] as const).map((method) =>
    route({
      method,
      path: '/leads/:id',
      tag: TAG,
      summary: 'Change a lead',
      description:
        'What is left out stays; null empties. The stage has a transition of its own. A converted lead is frozen.',
      scope,
      policy: 'manage_leads',
      takes: { ...byId('lead'), ...takesLead(Attributes) },
      answers,
      errors: ['not_found', 'validation_failed', 'unknown_company', 'lead_converted'],
      async handle(tx, { params, body, actor }) {
        if (!(await changeLead(tx, actor, params.id, body.lead))) throw noLead()
        return shown(tx, actor, params.id)
      },
    }),
  ),
  route({
    method: 'PATCH',
    path: '/leads/:id/transition',
    tag: TAG,
    summary: 'Move a lead to another stage',
    description:
      'The open stages (inbox, qualified, nurturing, proposal) lead to each other, to won, and with a reason to lost. A lost lead re-opens to any of them, a won one to proposal. The stage that it is in is no move. A converted lead is frozen.',
    scope,
    policy: 'manage_leads',
    takes: {
      ...byId('lead'),
      body: Type.Record(Type.String(), Type.Unknown()),
      bodyInDocument: Type.Object(wire(transitionAttributes), { title: 'Transition' }),
    },
    answers,
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
    summary: 'Make a lead a customer and a trip',
    description:
      'Once, from any stage: a second call answers the same three. The customer is the one given, else the one that the lead’s import named, else the only one of the company with the same e-mail and an agreeing name, else a new one; of what is there only gaps are filled. The trip takes dates, destinations and advisor from the lead where you say nothing else, and has a day for each date, at most 366.',
    scope,
    policy: 'manage_leads',
    takes: takesConversion,
    answers: { status: 201, body: Converted, description: 'The lead, its customer and its trip.' },
    alsoAnswers: [{ status: 200, body: Converted, description: 'It was converted before: the same three.' }],
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
