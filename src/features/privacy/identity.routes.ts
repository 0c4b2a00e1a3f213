import Type from 'typebox'
import { auditOwn } from '../../platform/audit.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { readIdentity, TRAVELERS_SHOWN } from './identity.store.ts'

export const PRIVACY_TAG = { name: 'Privacy', description: 'What the agency stores about a person.' }
const Traveler = Type.Object({
  id: Uuid,
  first_name: maybe(Text(100)),
  last_name: maybe(Text(100)),
  national_id: maybe(Text(40)),
  passport_number: maybe(Text(40)),
})

export const identityNumberRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/customers/:id/identity',
    tag: PRIVACY_TAG,
    summary: 'Read identity numbers in clear',
    description:
      'The passport numbers and national ids of the travellers of a customer. Other responses to sessions show only their last three characters. Each read is audited, so it is a POST; an Idempotency-Key does not change that.',
    scope: null,
    policy: 'view_personal_data',
    showsSealed: true,
    takes: byId('customer'),
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ travelers: Type.Array(Traveler, { maxItems: TRAVELERS_SHOWN }) }) }),
      description: 'The travellers.',
    },
    errors: ['not_found'],
    async handle(tx, { params: { id }, actor: { policies } }) {
      const found = await tx.one(readIdentity(policies), { id })
      if (!found) throw noSuch('customer')
      const read = found.travelers.filter((one) => one.national_id !== null || one.passport_number !== null)
      auditOwn(tx, {
        action: 'identity.read',
        subjectType: 'customer',
        subjectId: id,
        details: { travelers: read.map((one) => one.id) },
      })
      return jsonText({ data: { travelers: found.travelers } })
    },
  }),
]
