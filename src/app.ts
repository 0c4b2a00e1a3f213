import { isUtf8 } from 'node:buffer'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Deps } from './deps.ts'
import { databaseIsAway, lostARace, refusedByDatabase, waitedTooLong } from './platform/db/failures.ts'
import { StorageAway } from './platform/files/file-store.ts'
import { gate } from './platform/http/admit.ts'
import { ApiError, type ErrorCode } from './platform/http/errors.ts'
import { BODY_LIMIT_BYTES, mount } from './platform/http/mount.ts'
import { publicRoutes } from './public-routes.ts'
import { routesOf } from './registry.ts'

const SANE_REQUEST_ID = /^[\w.:-]{1,100}$/
const MAXIMUM_PARAM_LENGTH = 2048
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000 // longer than the proxies in front, so that they are the ones to hang up
const RETRY_AFTER_S = 2
const API_PREFIX = '/api/v1'

/** The program as a function of what it stands on: not listening, so that tests can hold it. */
export function buildApp(deps: Deps): FastifyInstance {
  const entrance = gate({ ...deps, proxies: deps.config.trustedProxies })
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger, // a logger for each request costs more than a small request itself
    genReqId: requestId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // what still arrives is answered; the listener is closed already
    routerOptions: { maxParamLength: MAXIMUM_PARAM_LENGTH },
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      markAnswer(request, reply)
      const answer = () => answerError(deps, error, request, reply)
      entrance.measure(request, reply).then(answer, answer)
    },
    clientErrorHandler: (error, socket) => {
      const { status, ...refusal } = clientError(error)
      if (socket.writable) socket.end(httpAnswer(status, JSON.stringify(refusal)))
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    markAnswer(request, reply)
    done()
  })
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body as Buffer)) return done(new ApiError('bad_request', 'Send the body in UTF-8.'))
    return parseJson(request, body.toString(), done)
  })
  app.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply))
  app.setNotFoundHandler(async (request, reply) => {
    await entrance.measure(request, reply)
    throw new ApiError('not_found', 'There is nothing at this address.')
  })
  app.register(async (open) => publicRoutes(open, deps, entrance))
  app.register(async (api) => mount(api, routesOf(deps.config), { ...deps, gate: entrance }), { prefix: API_PREFIX })
  return app
}

function requestId({ headers }: { headers: Record<string, unknown> }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : crypto.randomUUID()
}

/** The headers that every answer has, refused or not. */
function markAnswer(request: FastifyRequest, { raw }: FastifyReply): void {
  raw.setHeader('x-request-id', request.id)
  raw.setHeader('x-content-type-options', 'nosniff')
  raw.setHeader('cache-control', 'no-store')
}

function answerError(deps: Deps, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ApiError ? error : toApiError(error, request)
  if (known.code === 'internal_error' || known.code === 'unavailable')
    deps.log.error({ err: error, request: request.id }, known.code)
  else if (refusedByDatabase(error))
    deps.log.warn({ err: error, request: request.id }, 'the database refused what validation let pass')
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  return reply
    .code(known.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: known.message, code: known.code, ...(known.details && { details: known.details }) }))
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (databaseIsAway(error)) {
    return new ApiError('unavailable', 'The database is away. Try again in a moment.', { retryAfter: RETRY_AFTER_S })
  }
  if (error instanceof StorageAway) {
    return new ApiError('unavailable', 'The file storage is away. Try again in a moment.', {
      retryAfter: RETRY_AFTER_S,
    })
  }
  if (lostARace(error)) return new ApiError('conflict', 'Another change won. Read the record again and retry.')
  if (waitedTooLong(error)) {
    return new ApiError('unavailable', 'The database is busy. Try again in a moment.', { retryAfter: RETRY_AFTER_S })
  }
  if (refusedByDatabase(error)) {
    return new ApiError(
      'validation_failed',
      `The database refused a value. Report request ${request.id} if you cannot see which.`,
      {
        details: { base: ['was refused by the database'] },
      },
    )
  }
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  return (
    frameworkError(statusCode, code) ??
    new ApiError('internal_error', `Something broke on our side. Report request ${request.id}.`)
  )
}

const FRAMEWORK_ERRORS: Readonly<Record<number, [ErrorCode, string]>> = {
  400: ['bad_request', 'Send a well-formed request: a JSON body, and a path whose escapes hold.'],
  404: ['not_found', 'There is nothing at this address.'],
  413: ['payload_too_large', 'Send a smaller body: 256 KiB, 10 MiB for imports, ticket files and uploads.'],
  414: ['not_found', 'There is nothing at this address.'],
  415: ['unsupported_media_type', 'Send the body as Content-Type: application/json.'],
}
function frameworkError(status: number | undefined, code: string | undefined): ApiError | null {
  const known = status !== undefined && status < 500 ? FRAMEWORK_ERRORS[status] : undefined
  if (known) return new ApiError(...known)
  return code?.startsWith('FST_ERR') && status !== undefined && status < 500
    ? new ApiError('bad_request', 'Send a well-formed request.')
    : null
}

function clientError(error: { code?: string }): { status: number; error: string; code: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, error: 'Send smaller headers.', code: 'bad_request' }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, error: 'The request took too long to arrive.', code: 'bad_request' }
  return { status: 400, error: 'Send a well-formed HTTP request.', code: 'bad_request' }
}
const httpAnswer = (status: number, body: string) =>
  `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${crypto.randomUUID()}\r\nConnection: close\r\n\r\n${body}`
