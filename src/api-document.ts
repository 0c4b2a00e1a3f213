import { rowSchema } from './imports/entities/row-schema.ts'
import type { Importable } from './imports/importable.ts'
import { recordSchema } from './imports/records/record-shape.ts'
import { KEY_SURFACE, openApi, SESSION_SURFACE } from './platform/http/openapi.ts'
import type { Route } from './platform/http/route.ts'
import { examplesFrom } from './reference/examples.ts'
import { entities, importables } from './registry.ts'

const HEALTH = {
  '/api/v1/health': {
    get: {
      operationId: 'getHealth',
      tags: ['Health'],
      summary: 'Check the health of the cell',
      description:
        'Needs no API key, accepts no query parameters, and responds even if the database is unavailable. With a valid key, the request counts against the rate limit, and the response has its headers.',
      security: [],
      responses: {
        200: {
          description: 'The cell is up.',
          headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['ok', 'api'],
                properties: { ok: { type: 'boolean' }, api: { type: 'string', enum: ['v1'] } },
              },
              example: { ok: true, api: 'v1' },
            },
          },
        },
        422: { $ref: '#/components/responses/Error422' },
      },
    },
  },
}

const INTRODUCTION = `The back office of a travel agency: push bookings, people and documents from another system, and read them back.

Imports have a dry run, \`POST /imports/{entity}/validate\`: it runs the import and rolls it back, so both return the same result. Other writes have no dry run. Every refused row has its reasons.
Errors have \`error\`, a sentence that says what to do, and \`code\`; a 422 names every rejected attribute in \`details\`. Lists are paged by opaque cursors. Money is a decimal string.
Unknown query parameters and attributes are refused with the closest known name; attributes that a record shows and that cannot be written are ignored, so you may send back what you read.`

const APP_INTRODUCTION = `What the console of Backdesk speaks: every route of the API for a person who is signed in, and the routes that the API leaves out. A session takes the place of the key, and the role of the seat decides.

Writes need the header \`Backdesk-Console: 1\` and come from the origin of the cell. Records that people edit have a \`version\`; a change of an older one answers 409 \`stale\` with the current record in \`data\`. Records that the API also has carry it as \`ETag\`, and their changes take it as \`If-Match\`.`

/** The OpenAPI document of the API, as `GET /openapi.json` answers it. */
export const apiDocument = (routes: readonly Route[], publicUrl: string): object =>
  openApi(routes, {
    ...about(publicUrl),
    surface: KEY_SURFACE,
    title: 'Backdesk',
    description: INTRODUCTION,
    tags: [{ name: 'Health', description: 'Health of the cell.' }],
    open: HEALTH,
  })

/** The OpenAPI document of the application API, as `GET /openapi-app.json` answers it. */
export const appDocument = (routes: readonly Route[], publicUrl: string): object =>
  openApi(routes, {
    ...about(publicUrl),
    surface: SESSION_SURFACE,
    title: 'Backdesk application API',
    description: APP_INTRODUCTION,
    tags: [],
    open: {},
  })

/** What both documents contain. */
function about(serverUrl: string) {
  const named = (suffix: string, of: readonly Importable[], schema: (entity: Importable['entity']) => object) =>
    Object.fromEntries(of.map(({ entity }) => [`${entity.model}${suffix}`, schema(entity)]))
  const schemas = {
    ...named('Record', entities, recordSchema),
    ...named('Row', importables, rowSchema),
  } as never
  const samples = importables.map(({ entity }) => entity.sample)
  return { version: '1.0.0', serverUrl, schemas, examples: examplesFrom(samples, schemas) }
}
