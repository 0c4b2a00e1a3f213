import Type from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { homeCompany } from '../../platform/access/places.ts'
import type { AccountReader } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, itemOf } from '../../platform/http/by-id.ts'
import { listMembers, listOf, paging } from '../../platform/http/paging.ts'
import { Reasons } from '../../platform/http/reasons.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { companyAttribute, companyFor } from '../../records/attributes.ts'
import { deskOfActor } from '../accounts/reads/desk-of-actor.ts'
import { createReferral } from './commands/create-referral.ts'
import { stopReferral } from './commands/stop-referral.ts'
import { referralUrl } from './reads/referral-rows.ts'
import { listReferralCodes, readReferralCode, referralView } from './referrals.view.ts'

const COMMON = {
  tag: { name: 'Referrals', description: 'Codes that customers pass on, and what came of them.' },
  scope: null,
  policy: 'manage_leads',
} as const
const { token: _, ...shown } = referralView
const Url = Type.String({ maxLength: 2000, description: 'Address of the page of the code.' })
const Referral = viewSchema({ ...shown, url: { sql: '', schema: Url } }, 'Referral code')
const Whole = Type.Object({ data: Referral })

type Row = { readonly token: string }
const withUrl = ({ token, ...code }: Row, publicUrl: string) => ({ ...code, url: referralUrl(publicUrl, token) })
const codeText = async (reader: AccountReader, { policies }: Actor, id: string, publicUrl: string) =>
  jsonText({
    data: withUrl(JSON.parse(itemOf(await reader.one(readReferralCode(policies), { id }), 'referral code')), publicUrl),
  }) as JsonText<never>

export const referralRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/referrals',
    summary: 'List referral codes',
    description: 'Newest first, with their visits, leads and conversions.',
    takes: { query: Type.Object({ ...paging, active: Type.Optional(enumOf(['true', 'false'])) }) },
    answers: { status: 200, body: listOf(Referral), description: 'A page of codes.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { active }, actor, page, publicUrl }) {
      const given = { active: active === 'true', stopped: active === 'false' }
      const { data, ...rest } = listMembers(page, await listReferralCodes(reader, actor.policies, page, given))
      const codes = (JSON.parse(data) as Row[]).map((code) => withUrl(code, publicUrl))
      return jsonObject({ data: jsonText(codes) as JsonText<never>, ...rest })
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/referrals/:id',
    summary: 'Read a referral code',
    takes: byId('referral code'),
    answers: { status: 200, body: Whole, description: 'The code.' },
    errors: ['not_found'],
    handle: (reader, { params, actor, publicUrl }) => codeText(reader, actor, params.id, publicUrl),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/referrals',
    summary: 'Create a referral code',
    description:
      'Its page can be passed on by a customer, and can show a trip. Its leads go to the company and the seat given here; by default to those of the trip, else to the company of the customer and the owner of the account.',
    takes: {
      body: Type.Object({
        referral: Type.Object({
          label: Type.Optional({
            ...maybe(Text(200)),
            description: 'The name for the agency. Visitors do not see it.',
          }),
          customer_id: Type.Optional(maybe(Uuid)),
          trip_id: Type.Optional(maybe(Uuid)),
          company_id: companyAttribute('The company of the leads.'),
          assigned_to_id: Type.Optional(maybe(Uuid)),
        }),
      }),
    },
    answers: { status: 201, body: Whole, description: 'The code.' },
    errors: ['validation_failed', 'unknown_company'],
    async handle(tx, { body: { referral }, actor, publicUrl }) {
      const { label = null, customer_id = null, trip_id = null, company_id = null, assigned_to_id = null } = referral
      const reasons = new Reasons()
      const company = companyFor(actor, company_id, homeCompany(actor), reasons)
      reasons.refuse()
      const { id } = await createReferral(tx, deskOfActor(actor, company), {
        label,
        customer: customer_id,
        trip: trip_id,
        company: company_id && company.id,
        seat: assigned_to_id,
      })
      return codeText(tx, actor, id, publicUrl)
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/referrals/:id/stop',
    summary: 'Stop a referral code',
    description: 'Its page is no longer found; its leads stay. Stopping it again changes nothing.',
    takes: byId('referral code'),
    answers: { status: 200, body: Whole, description: 'The code.' },
    errors: ['not_found'],
    async handle(tx, { params, actor, publicUrl }) {
      await stopReferral(tx, params.id)
      return codeText(tx, actor, params.id, publicUrl)
    },
  }),
]
