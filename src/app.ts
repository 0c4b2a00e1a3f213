import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Deps } from './deps.ts'
import { openStreams } from './features/stream/open-streams.ts'
import { answerError, answerNoRequest } from './platform/http/answer-error.ts'
import { drainInTurn } from './platform/http/drain.ts'
import { ApiError, notFound } from './platform/http/errors.ts'
import { gate } from './platform/http/gate.ts'
import { nestsTooDeep, tooDeep } from './platform/http/inspect-body.ts'
import { BODY_LIMIT_BYTES, mount } from './platform/http/mount.ts'
import { sessionCookies } from './platform/http/session-cookie.ts'
import { sessionGate } from './platform/http/session-gate.ts'
import { shedding } from './platform/http/shedding.ts'
import { traffic } from './platform/http/traffic.ts'
import { overload } from './platform/overload.ts'
import { publicRoutes } from './public-routes.ts'
import { readiness } from './readiness.ts'
import { appRoutesOf, mayKnow, routesOf } from './registry.ts'

const SANE_REQUEST_ID = /^[\w.:-]{1,100}$/
const MAXIMUM_PARAM_LENGTH = 2048
/** How long connections may take, in milliseconds. */
export const TIMEOUTS = {
  headersTimeout: 15_000, // also of a connection on which nothing ever comes
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000, // how late the two above may be
  keepAliveTimeout: 72_000, // longer than the proxies in front, so that they are the ones to hang up
}
/** How long the rest of a refused request is read, where the connection is closed after it. */
const READ_TO_THE_END_MS = 10_000
const API_PREFIX = '/api/v1'
const APP_PREFIX = '/app/v1'

/** The headers of every response. TLS ends before the program, which knows of it from its public address. */
const headersOfEveryAnswer = (publicUrl: string): readonly (readonly [name: string, value: string])[] => [
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
  ...(publicUrl.startsWith('https:') ? [['strict-transport-security', 'max-age=31536000'] as const] : []),
]

const NEVER = new AbortController().signal

/**
 * The HTTP server as a function of its dependencies, not listening yet, so that tests can use it. Once `stopping` is
 * aborted it is not ready, and asks clients to reconnect elsewhere.
 */
export function buildApp(deps: Deps, stopping: AbortSignal = NEVER, timeouts = TIMEOUTS): FastifyInstance {
  const routes = routesOf(deps)
  const proxies = deps.config.trustedProxies
  const entrance = gate({ ...deps, proxies })
  const doorOfSessions = sessionGate({ ...deps, proxies, cookies: sessionCookies(deps.publicUrl) })
  const streams = openStreams(deps, mayKnow)
  stopping.addEventListener('abort', streams.close)
  const drain = drainInTurn()
  const load = overload(deps.db, deps.config.shedAfterMs)
  const note = traffic(deps.config.logRequests ? deps.log : null, deps.requests)
  const everyHeader = headersOfEveryAnswer(deps.config.publicUrl)
  const refused = shedding(load, {
    log: deps.log,
    headers: everyHeader,
    requestId,
    budgetAtHand: entrance.budgetAtHand,
    drain,
  })
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id)
    for (const [name, value] of everyHeader) reply.header(name, value)
    if (stopping.aborted) reply.header('connection', 'close')
    note(request, reply)
  }
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // a logger for each request costs more than a small request itself
    genReqId: requestId,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (take) =>
      createServer(timeouts, (request, response) => {
        if (!refused(request, response)) take(request, response)
      }),
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what still arrives is answered; the listener is closed already
    routerOptions: { maxParamLength: MAXIMUM_PARAM_LENGTH },
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      begin(request, reply)
      const answer = () => answerError(deps.log, error, request, reply)
      Promise.resolve(entrance.measure(request, reply)).then(answer)
    },
    clientErrorHandler: answerNoRequest(everyHeader),
  })
  app.decorateRequest('principal', null)
  app.decorateRequest('batch', null)
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    done()
  })
  app.addHook('preClose', async () => streams.close()) // or closing would wait for them
  app.addHook('onClose', async () => load.stop())
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body as Buffer))
      return done(new ApiError('bad_request', 'The character set is not supported. Send the body in UTF-8.'))
    if (nestsTooDeep(body as Buffer)) return done(tooDeep())
    const text = body.toString()
    return parseJson(request, text, (error, read) => done(error && refusedJson(error, text), read))
  })
  app.setErrorHandler(async (error, request, reply) => {
    // A client that is still sending when its connection is closed never reads the response. So the connection stays
    // open where the framework would close it; to close it, the rest is read and discarded before the response.
    if (!stopping.aborted) reply.removeHeader('connection')
    drain(request.raw)
    if (stopping.aborted || !reply.raw.shouldKeepAlive) await allRead(request.raw)
    return answerError(deps.log, error, request, reply)
  })
  app.setNotFoundHandler(async (request, reply) => {
    await entrance.measure(request, reply)
    throw notFound()
  })
  app.register(async (open) => publicRoutes(open, deps, routes, entrance, readiness(deps, stopping)))
  app.register(async (api) => mount(api, routes, { ...deps, streams, gate: entrance }), { prefix: API_PREFIX })
  app.register(
    async (api) => {
      api.addHook('onRequest', (_, reply, done) => {
        reply.header('cross-origin-resource-policy', 'same-origin') // no page elsewhere may load it, not even as a picture
        done()
      })
      mount(api, appRoutesOf(deps), { ...deps, streams, gate: doorOfSessions })
    },
    { prefix: APP_PREFIX },
  )
  return app
}

/** Waits for the end of a request, limited by the time that a client may take to send it. */
async function allRead(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  await once(request, 'close', { signal: AbortSignal.timeout(READ_TO_THE_END_MS) }).catch(() => {})
}

/** JSON that is refused nevertheless has keys that would change an object's prototype. */
function refusedJson(error: Error, text: string): Error {
  try {
    JSON.parse(text)
  } catch {
    return error
  }
  return new ApiError(
    'bad_request',
    'The JSON body contains a forbidden key. Remove __proto__, and constructor with a prototype.',
  )
}

function requestId({ headers }: { headers: Record<string, unknown> }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : crypto.randomUUID()
}
