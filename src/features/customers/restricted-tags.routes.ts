import Type from 'typebox'
import { TAG_LENGTH } from '../../catalogue/tags.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { demandPolicy } from '../../platform/http/demand-policy.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonText } from '../../platform/json-text.ts'
import { restrictTag } from './commands/restrict-tag.ts'
import { listRestrictedTags, restrictedTagView } from './restricted-tags.store.ts'

const TAG = {
  name: 'Restricted tags',
  description: 'Tags of customers whose identity only some roles see.',
}
const Named = Type.Object({
  name: Type.String({ minLength: 1, maxLength: TAG_LENGTH, description: 'The tag as customers have it.' }),
})
const CHANGED = {
  status: 200,
  body: Type.Object({ data: Type.Object({ changed: Type.Boolean() }) }),
  description: 'Whether anything changed.',
} as const

export const restrictedTagRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/restricted_tags',
    tag: TAG,
    scope: null,
    policy: 'manage_settings',
    summary: 'List restricted tags',
    description: 'By name. Counts are shown to roles that see restricted customers.',
    takes: { query: Type.Object(paging) },
    answers: {
      status: 200,
      body: listOf(viewSchema(restrictedTagView, 'RestrictedTag')),
      description: 'A page of tags.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) =>
      listText(page, await listRestrictedTags(reader, actor.policies, page, {})),
  }),
  route({
    method: 'POST',
    path: '/restricted_tags',
    tag: TAG,
    scope: null,
    policy: 'manage_settings',
    summary: 'Restrict a tag',
    description: 'Hides the identity of its customers from roles without `view_restricted_customers`, at once.',
    takes: { body: Named },
    answers: CHANGED,
    errors: ['validation_failed'],
    handle: async (tx, { body }) => jsonText({ data: { changed: await restrictTag(tx, body.name, true) } }),
  }),
  route({
    method: 'POST',
    path: '/restricted_tags/release',
    tag: TAG,
    scope: null,
    policy: 'view_restricted_customers',
    summary: 'Release a tag',
    description:
      'Shows its customers to all roles again, so it needs `manage_settings` besides `view_restricted_customers`.',
    takes: { body: Named },
    answers: CHANGED,
    errors: ['validation_failed'],
    async handle(tx, { body, actor }) {
      demandPolicy(actor.policies, 'manage_settings')
      return jsonText({ data: { changed: await restrictTag(tx, body.name, false) } })
    },
  }),
]
