import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { examplesFrom } from '../../reference/examples.ts'
import { jsonText } from '../json-text.ts'
import { ApiError } from './errors.ts'
import { mount } from './mount.ts'
import { KEY_SURFACE, openApi } from './openapi.ts'
import { route } from './route.ts'

const going = route({
  method: 'GET',
  path: '/old',
  tag: { name: 'Old', description: 'What was.' },
  summary: 'Read what was',
  deprecated: { since: '2028-02-29', instead: '`GET /api/v1/new`' },
  scope: ['full'],
  policy: null,
  takes: {},
  answers: { status: 200, body: Type.Object({}), description: 'What was.' },
  errors: [],
  handle: async () => jsonText({}),
})
const { deprecated: _, ...stays } = going
const routes = [going, { ...stays, path: '/new' }]

it('a deprecated route has the headers in every answer and is marked in the document for at least a year, and no other is', async () => {
  const app = Fastify()
  const admit = () => {
    throw new ApiError('unauthorized', 'No.')
  }
  mount(app, routes, { gate: { admit }, sealedValues: [] } as never)
  const [gone, stayed] = await Promise.all(routes.map(({ path }) => app.inject(path)))
  expect(gone?.headers).toMatchObject({
    deprecation: `@${Date.UTC(2028, 1, 29) / 1000}`,
    sunset: 'Wed, 28 Feb 2029 00:00:00 GMT',
  })
  expect(Object.keys(stayed?.headers ?? {}).filter((name) => /deprecation|sunset/.test(name))).toEqual([])
  const { paths } = openApi(routes, {
    surface: KEY_SURFACE,
    schemas: {},
    open: {},
    tags: [],
    examples: examplesFrom([], {}),
  } as never) as {
    paths: object
  }
  expect(paths).toMatchObject({
    '/api/v1/old': {
      get: {
        deprecated: true,
        description: expect.stringMatching(
          /^Deprecated since 2028-02-29; available until at least 2029-02-28. Use `GET/,
        ),
      },
    },
    '/api/v1/new': { get: expect.not.objectContaining({ deprecated: true }) },
  })
})
