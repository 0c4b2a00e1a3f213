import type { FastifyInstance } from 'fastify'
import { apiDocument, appDocument } from './api-document.ts'
import type { Deps } from './deps.ts'
import { serveUnsubscribing } from './features/communications/page/serve-unsubscribing.ts'
import { serveStatusCallbacks } from './features/communications/sending/status-callbacks.ts'
import { serveReferrals } from './features/referrals/page/serve-referrals.ts'
import { CONSOLE_PATHS, serveSignIn } from './features/sign-in/page/serve-sign-in.ts'
import { serveSurveys } from './features/surveys/page/serve-surveys.ts'
import { servePages } from './features/trip-pages/serve-pages.ts'
import { serveFiles } from './features/uploads/serve-files.ts'
import type { Gate } from './platform/http/gate.ts'
import { refuseParameters } from './platform/http/input-reader.ts'
import { refuseOtherMethods } from './platform/http/mount.ts'
import type { Route } from './platform/http/route.ts'
import { staticContent } from './platform/http/static-content.ts'
import { answerReadiness, type Readiness } from './readiness.ts'
import { serveReference } from './reference/serve-reference.ts'
import { appRoutesOf } from './registry.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const HEALTHY = '{"ok":true,"api":"v1"}'

/**
 * Endpoints without a key: health, readiness, the OpenAPI document, the API reference, files by their signed addresses,
 * public pages, and callbacks of providers.
 */
export function publicRoutes(
  app: FastifyInstance,
  deps: Deps,
  routes: readonly Route[],
  gate: Gate,
  isReady: () => Promise<Readiness>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const measured = gate.measure(request, reply)
    if (measured) void measured.then(() => done())
    else done()
  })
  app.get('/api/v1/health', ({ query }, reply) => {
    refuseParameters(query as Record<string, unknown>)
    return reply.header('content-type', JSON_TYPE).send(HEALTHY)
  })
  answerReadiness(app, isReady)
  app.get(
    '/openapi.json',
    staticContent(JSON_TYPE, () => JSON.stringify(apiDocument(routes, deps.publicUrl))),
  )
  app.get(
    '/openapi-app.json',
    staticContent(JSON_TYPE, () => JSON.stringify(appDocument(appRoutesOf(deps), deps.publicUrl))),
  )
  const documentation = serveReference(app)
  serveFiles(app, deps)
  app.register(async (pages) => servePages(pages, { ...deps, addressOf: gate.addressOf }))
  app.register(async (hooks) => serveStatusCallbacks(hooks, deps))
  app.register(async (pages) => serveUnsubscribing(pages, deps))
  app.register(async (pages) => serveSurveys(pages, deps))
  app.register(async (pages) => serveReferrals(pages, { ...deps, addressOf: gate.addressOf }))
  app.register(async (pages) => serveSignIn(pages, deps))
  const open = [
    '/api/v1/health',
    '/ready',
    '/openapi.json',
    '/openapi-app.json',
    ...CONSOLE_PATHS,
    ...documentation,
    '/files/:token',
    '/s/:token',
    '/s/:token/trip.ics',
    '/s/*',
    '/u/:token',
    '/u/*',
    '/f/:token',
    '/f/*',
    '/r/:token',
    '/r/:token/thanks',
    '/r/*',
  ]
  refuseOtherMethods(
    app,
    [
      ...open.map((path) => ({ method: 'GET', path })),
      { method: 'POST', path: '/s/:token' },
      { method: 'POST', path: '/hooks/messaging/:account' },
      { method: 'POST', path: '/u/:token' },
      { method: 'POST', path: '/f/:token' },
      { method: 'POST', path: '/r/:token' },
    ],
    gate,
  )
}
