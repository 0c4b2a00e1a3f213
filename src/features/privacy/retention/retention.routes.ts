import Type from 'typebox'
import { patchAndPut, type Route, route } from '../../../platform/http/route.ts'
import { Day, maybe } from '../../../platform/http/shapes.ts'
import { jsonText } from '../../../platform/json-text.ts'
import { PRIVACY_TAG } from '../identity.routes.ts'
import { changeRules, rulesOf } from './commands/change-rules.ts'
import { RETAINED_KINDS } from './retained-kinds.ts'

const DAYS = {
  messages_days: maybe(Type.Integer({ description: 'Messages, from their creation on, with their attachments.' })),
  ticket_captures_days: maybe(
    Type.Integer({
      description: 'The bytes of ticket files and what was read of them; the outcome of the file stays.',
    }),
  ),
  request_log_days: maybe(Type.Integer({ description: 'Requests of API keys. The cell keeps them for 30 days.' })),
  leads_days: maybe(
    Type.Integer({ description: 'Leads that became no customer and no trip, from their last change on.' }),
  ),
}
const Rules = Type.Object(
  {
    ...DAYS,
    version: Type.Integer({ minimum: 1 }),
    swept_on: maybe(Day),
  },
  { title: 'RetentionRules' },
)
const COMMON = { tag: PRIVACY_TAG, scope: null, policy: 'handle_privacy_requests' } as const
const whole = { status: 200, body: Type.Object({ data: Rules }), description: 'The rules.' } as const
const limits = Object.entries(RETAINED_KINDS)
  .map(([name, { minimum, maximum }]) => `\`${name}\` ${minimum} to ${maximum}`)
  .join(', ')

export const retentionRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/retention_rules',
    summary: 'Read the retention rules',
    description: 'After how many days the account removes something; null keeps it.',
    takes: {},
    answers: whole,
    errors: [],
    handle: async (reader) => jsonText({ data: await rulesOf(reader) }),
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/retention_rules',
    summary: 'Change the retention rules',
    description: `Every night, what is older by whole days of the account's time zone is removed for good. Days: ${limits}. Omitted attributes keep their values.`,
    takes: {
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        ...(Object.fromEntries(Object.entries(DAYS).map(([name, days]) => [name, Type.Optional(days)])) as {
          [K in keyof typeof DAYS]: ReturnType<typeof Type.Optional<(typeof DAYS)[K]>>
        }),
      }),
    },
    answers: whole,
    errors: ['validation_failed', 'stale'],
    async handle(tx, { body: { version, ...change } }) {
      await changeRules(tx, change, version)
      return jsonText({ data: await rulesOf(tx) })
    },
  }),
]
