import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { apiDocument } from './api-document.ts'
import type { Deps } from './deps.ts'
import { serveUnsubscribing } from './features/communications/page/serve-unsubscribing.ts'
import { serveStatusCallbacks } from './features/communications/sending/status-callbacks.ts'
import { serveReferrals } from './features/referrals/page/serve-referrals.ts'
import { serveSurveys } from './features/surveys/page/serve-surveys.ts'
import { servePages } from './features/trips/page/serve-pages.ts'
import { serveFiles } from './features/uploads/serve-files.ts'
import type { Gate } from './platform/http/gate.ts'
import { refuseOtherMethods } from './platform/http/mount.ts'
import { onceFor } from './platform/once-for.ts'
import { answerReadiness, type Readiness } from './readiness.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const HEALTHY = '{"ok":true,"api":"v1"}'
/** Made when somebody asks: most processes are never asked. */
const documentOf = onceFor(apiDocument)
const documentText = onceFor((config: Deps['config']) => JSON.stringify(documentOf(config)))

/** What needs no key: health, readiness, the OpenAPI document, the page to read it by, files by their signed addresses, the pages that people open, and what providers tell of messages. */
export function publicRoutes(app: FastifyInstance, deps: Deps, gate: Gate, isReady: () => Promise<Readiness>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const measured = gate.measure(request, reply)
    if (measured) void measured.then(() => done())
    else done()
  })
  app.get('/api/v1/health', (_request, reply) => reply.header('content-type', JSON_TYPE).send(HEALTHY))
  answerReadiness(app, isReady)
  app.get('/openapi.json', (_request, reply) => reply.header('content-type', JSON_TYPE).send(documentText(deps.config)))

  let reference: Promise<FastifyInstance> | undefined
  const readReference = async (request: FastifyRequest, reply: FastifyReply) => {
    reference ??= openReference(documentOf(deps.config))
    const { statusCode, headers, rawPayload } = await (await reference).inject(request.url)
    reply
      .code(statusCode)
      .headers(REFERENCE_HEADERS)
      .header('content-type', headers['content-type'] ?? JSON_TYPE)
    return headers.location ? reply.redirect(headers.location) : reply.send(rawPayload)
  }
  app.get('/docs', readReference)
  app.get('/docs/*', readReference)
  serveFiles(app, deps)
  app.register(async (pages) => servePages(pages, deps))
  app.register(async (hooks) => serveStatusCallbacks(hooks, deps))
  app.register(async (pages) => serveUnsubscribing(pages, deps))
  app.register(async (pages) => serveSurveys(pages, deps))
  app.register(async (pages) => serveReferrals(pages, { ...deps, addressOf: gate.addressOf }))
  const open = [
    '/api/v1/health',
    '/ready',
    '/openapi.json',
    '/docs',
    '/docs/*',
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

/** The page brings its own script and styles, in its text and as files of the cell. */
const REFERENCE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

/** Nothing of the page asks another host, and nothing on it would. */
const OFFLINE = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  favicon: 'data:,',
}

/** The page's script is four megabytes of source text, so it is loaded when somebody first reads the page. */
async function openReference(document: object): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  app.register(scalar, {
    routePrefix: '/docs',
    configuration: { ...OFFLINE, content: document, pageTitle: 'Backdesk API' },
  } as never)
  await app.ready()
  return app
}
