import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { listRequests, listUsage, readRequest } from './request-log.store.ts'
import { requestDetail, requestItem, usageItem } from './request-log.view.ts'

const COMMON = {
  tag: { name: 'Request log', description: 'Requests of API keys, and how many there were.' },
  scope: null,
  policy: 'manage_settings',
} as const
const days = { from: Type.Optional(Day), to: Type.Optional(Day) }

export const requestLogRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/request_log',
    summary: 'List requests',
    description:
      'Requests of API keys of the last 30 days, newest first. They appear a few seconds after the response; under overload some are left out. `scope=failed` lists those with a status of 400 or above. `from` and `to` are days in the time zone of the account, both included.',
    takes: {
      query: Type.Object({
        ...paging,
        ...days,
        key_id: Type.Optional(Uuid),
        method: Type.Optional(Text(20)),
        status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
        scope: Type.Optional(enumOf(['failed'])),
        request_id: Type.Optional(Text(100)),
        batch_id: Type.Optional(Uuid),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(requestItem, 'Request in a list')),
      description: 'A page of requests.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { limit: _, cursor: __, scope, ...given }, actor: { policies, timeZone }, page }) {
      return listText(
        page,
        await listRequests(reader, policies, page, { ...given, failed: scope === 'failed' }, { zone: timeZone }),
      )
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/request_log/:id',
    summary: 'Read a request',
    takes: byId('request'),
    answers: {
      status: 200,
      body: Type.Object({ data: viewSchema(requestDetail, 'Request') }),
      description: 'The request.',
    },
    errors: ['not_found'],
    handle: async (reader, { params: { id }, actor: { policies } }) =>
      dataOf(await reader.one(readRequest(policies), { id }), 'request'),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/usage',
    summary: 'List usage',
    description:
      'Requests per day (UTC), key and route, the last day first. `refused` are those over the rate limit, `failed` all others with a status of 400 or above, `rows` those sent for import.',
    takes: { query: Type.Object({ ...paging, ...days, key_id: Type.Optional(Uuid) }) },
    answers: { status: 200, body: listOf(viewSchema(usageItem, 'Usage')), description: 'A page of counts.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { key_id, from, to }, actor: { policies }, page }) {
      return listText(page, await listUsage(reader, policies, page, { key_id, from, to }))
    },
  }),
]
