import type { Config } from './config.ts'
import type { Importable } from './imports/importable.ts'
import { recordSchema } from './imports/records/records.routes.ts'
import { rowSchema } from './imports/row-schema.ts'
import { openApi } from './platform/http/openapi.ts'
import { importables, readOnlyEntities, routesOf } from './registry.ts'

const HEALTH = {
  '/api/v1/health': {
    get: {
      operationId: 'getHealth',
      tags: ['Health'],
      summary: 'See whether the cell is up',
      description: 'Needs no key and asks nothing of the database.',
      security: [],
      responses: {
        200: {
          description: 'It is up.',
          headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['ok', 'api'],
                properties: { ok: { type: 'boolean' }, api: { type: 'string', enum: ['v1'] } },
              },
            },
          },
        },
      },
    },
  },
}

const INTRODUCTION = `The back office of a travel agency: push bookings, people and documents from another system, and read them back.

Every write has a dry run that runs the write itself and takes it back, so the two cannot disagree. Every refused row has its reasons.
Errors are always \`{error, code}\`; \`error\` says what to do. Lists are paged by opaque cursors. Money is a decimal string.`

/** The OpenAPI document of the API, as \`GET /openapi.json\` answers it. */
export function apiDocument(config: Pick<Config, 'importLimits' | 'publicUrl'>): object {
  const named = (suffix: string, of: readonly Importable[], schema: (entity: Importable['entity']) => object) =>
    Object.fromEntries(of.map(({ entity }) => [`${entity.model}${suffix}`, schema(entity)]))
  return openApi(routesOf(config), {
    title: 'Backdesk',
    version: '1.0.0',
    description: INTRODUCTION,
    serverUrl: config.publicUrl,
    tags: [
      { name: 'Health', description: 'Whether the cell is up.' },
      { name: 'Account', description: 'Who a key is, and where it can file records.' },
      { name: 'Customers', description: 'Who buys, with notes and traveller directory.' },
      { name: 'Uploads', description: 'Files, sent before the record that they belong to.' },
      { name: 'Tasks', description: 'What somebody has to do, and when somebody is reminded of it.' },
      { name: 'Notifications', description: 'What the key’s principal should know.' },
      { name: 'Leads', description: 'Who may become a customer: stages, score and conversion.' },
      { name: 'Imports', description: 'Records from other systems: catalogue, dry run, commit, feed.' },
    ],
    schemas: {
      ...named('Record', [...importables, ...readOnlyEntities], recordSchema),
      ...named('Row', importables, rowSchema),
    } as never,
    open: HEALTH,
  })
}
