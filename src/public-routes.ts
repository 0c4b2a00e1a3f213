import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { apiDocument } from './api-document.ts'
import type { Config } from './config.ts'
import type { Gate } from './platform/http/admit.ts'
import { refuseOtherMethods } from './platform/http/mount.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const HEALTHY = '{"ok":true,"api":"v1"}'

/** What needs no key: health, the OpenAPI document, and the page to read it by, which fetches nothing from elsewhere. */
export function publicRoutes(app: FastifyInstance, config: Config, gate: Gate): void {
  const document = apiDocument(config)
  const text = JSON.stringify(document)
  app.get('/api/v1/health', (_request, reply) => reply.header('content-type', JSON_TYPE).send(HEALTHY))
  app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(text))
  refuseOtherMethods(
    app,
    ['/api/v1/health', '/openapi.json'].map((path) => ({ method: 'GET', path })),
    gate,
  )
  app.register(scalar, {
    routePrefix: '/docs',
    configuration: { ...OFFLINE, content: document, pageTitle: 'Backdesk API' },
  } as never)
}

/** Nothing of the page asks another host, and nothing on it would. */
const OFFLINE = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}
