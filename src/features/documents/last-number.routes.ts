import Type from 'typebox'
import { byId } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonText } from '../../platform/json-text.ts'
import { setLastNumber } from './commands/set-last-number.ts'

const NUMBER_LENGTH = 20
const LastNumber = Type.Object({
  number: Type.String({ maxLength: NUMBER_LENGTH, description: 'Such as `INV-2026-000123` or `CN-2026-000123`.' }),
})

export const lastNumberRoutes: readonly Route[] = [
  route({
    method: 'PUT',
    path: '/companies/:id/last_number',
    tag: { name: 'Companies', description: 'The legal entities of the account, and their branches.' },
    scope: null,
    policy: 'manage_settings',
    summary: 'Continue the numbers of another system',
    description:
      'The next document of the series in that year follows this number. Refused once the series has a document.',
    takes: { ...byId('company'), body: LastNumber },
    answers: { status: 200, body: Type.Object({ data: LastNumber }), description: 'The number.' },
    errors: ['not_found', 'validation_failed', 'conflict'],
    async handle(tx, { params, body: { number } }) {
      await setLastNumber(tx, params.id, number)
      return jsonText({ data: { number } })
    },
  }),
]
