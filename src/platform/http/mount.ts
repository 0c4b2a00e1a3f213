import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NOBODY, type Principal } from '../access/principal.ts'
import type { JsonText } from '../json-text.ts'
import { andThen } from './at-once.ts'
import { bodiesInFlight } from './bodies-in-flight.ts'
import { encoded } from './compress.ts'
import type { Cursors } from './cursors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ApiError } from './errors.ts'
import type { Gate } from './gate.ts'
import { hideSealed } from './hide-sealed.ts'
import { inputReader } from './input-reader.ts'
import { openStream } from './open-stream.ts'
import { FILE_BODY_LIMIT_BYTES } from './receive-file.ts'
import { batchIn } from './request-log.ts'
import type { HandlerTools, Route, RouteAnswer } from './route.ts'
import { type AnswererDeps, routeAnswerer } from './route-answerer.ts'
import { etagOf, StaleRecord } from './stale.ts'
import type { StreamHub } from './stream-hub.ts'

type Platform = HandlerTools &
  AnswererDeps & {
    readonly gate: Gate
    readonly cursors: Cursors
    /** Names of values that are stored sealed. */
    readonly sealedValues: readonly string[]
    readonly streams: StreamHub
    /** Milliseconds since the epoch. */
    now(): number
  }

export const BODY_LIMIT_BYTES = 256 * 1024
/** Of routes that anybody may send to. */
const OPEN_BODY_LIMIT_BYTES = 16 * 1024
const INGEST_BODY_LIMIT_BYTES = 10 * 1024 * 1024
const WITHOUT_CONTENT = new Set([204, 303])
const JSON_TYPE = 'application/json'
const FILE_TYPE = 'multipart/form-data'

/** Gives every route its address, its gate, and its transaction. */
export function mount(app: FastifyInstance, routes: readonly Route[], platform: Platform): void {
  const bodies = bodiesInFlight()
  const hide = hideSealed(platform.sealedValues)
  /** Only sessions are answered with the record as it is now. */
  const hideStale = <T>(answered: T): T =>
    answered instanceof Promise
      ? (answered.catch((error) => {
          throw error instanceof StaleRecord ? new StaleRecord(hide(error.data) as JsonText, error.version) : error
        }) as T)
      : answered
  const { open, look, write, receive } = routeAnswerer(platform)
  for (const route of routes.filter(({ takes }) => !takes.file)) add(app, route)
  app.register(async (uploads) => {
    readFiles(uploads)
    for (const route of routes.filter(({ takes }) => takes.file)) add(uploads, route)
  })
  refuseOtherMethods(app, routes, platform.gate)

  function answererOf({ open: isOpen, method, takes }: Route) {
    if (isOpen) return open
    if (method === 'GET') return look
    return takes.file ? receive : write
  }
  function add(to: FastifyInstance, route: Route): void {
    const read = inputReader(route, platform)
    const type = contentType(route)
    const limit = bodyLimit(route)
    const answer = answererOf(route)
    const going = route.deprecated && deprecationHeaders(route.deprecated)
    to.route({
      method: route.method,
      url: route.path,
      bodyLimit: limit,
      onRequest(request, reply, done) {
        if (going) reply.headers(going)
        const admitted = (principal: Principal) => {
          done(
            encodingRefusal(request) ??
              (route.method === 'GET' ? undefined : bodies.take(principal, limit, request, reply)),
          )
        }
        try {
          const principal = platform.gate.admit(route, request, reply)
          if (principal instanceof Promise) principal.then(admitted).catch(done)
          else admitted(principal)
        } catch (error) {
          done(error as Error)
        }
      },
      handler(request, reply) {
        const input = read(request, request.principal ?? NOBODY)
        if (route.streams) return openStream(platform.streams, input, request, reply)
        reply.code(route.answers.status)
        if (!WITHOUT_CONTENT.has(route.answers.status)) reply.header('content-type', type)
        return andThen(hideStale(answer(route, input, request, reply)), (answered) => {
          const isOfSession = input.principal?.kind === 'session'
          if (isOfSession && route.versioned) showVersion(reply, answered)
          const written = writeHead(reply, answered)
          const hides = isOfSession && type.startsWith(JSON_TYPE) && !route.showsSealed
          const body = hides && typeof written === 'string' ? hide(written) : written
          if (route.ingest && typeof body === 'string') request.batch = batchIn(body)
          return encoded(request, reply, body)
        })
      },
    })
  }
}

/** Texts declare their charset; a workbook has its own. */
function contentType({ answers: { type = JSON_TYPE } }: Route): string {
  return type.endsWith('.sheet') ? type : `${type}; charset=utf-8`
}

function bodyLimit({ open, takes, ingest }: Route): number {
  if (open) return OPEN_BODY_LIMIT_BYTES
  if (takes.file) return FILE_BODY_LIMIT_BYTES
  return ingest ? INGEST_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES
}

/** Routes below take a file where the others take JSON. */
function readFiles(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FILE_TYPE, (_request, body, done) => done(null, body)) // read where the file is taken
  app.addContentTypeParser('*', (_request, _body, done) =>
    done(
      new ApiError(
        'unsupported_media_type',
        `The content type is not supported. Send the file as Content-Type: ${FILE_TYPE}.`,
      ),
    ),
  )
}

/** Sets the status and the headers of a response, and returns its body. */
function writeHead(reply: FastifyReply, answer: string | RouteAnswer): string | Buffer {
  if (typeof answer === 'string') return answer
  const { status, location, cookies, filename, headers, body } = answer
  if (status !== undefined) reply.code(status)
  if (location !== undefined) reply.header('location', location)
  if (cookies !== undefined) reply.header('set-cookie', cookies)
  if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`)
  if (headers !== undefined) reply.headers(headers)
  return body
}

function showVersion(reply: FastifyReply, answer: string | RouteAnswer): void {
  if (typeof answer !== 'string' && answer.version !== undefined) reply.header('etag', etagOf(answer.version))
}

const encodingRefusal = ({ headers }: FastifyRequest): ApiError | undefined =>
  headers['content-encoding'] === undefined
    ? undefined
    : new ApiError('unsupported_media_type', 'Content-Encoding is not supported. Send the body uncompressed.')

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** An existing path answers 405 to other methods, and lists the allowed ones. */
export function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly { method: string; path: string }[],
  gate: Gate,
): void {
  for (const [url, same] of Map.groupBy(routes, ({ path }) => path)) {
    const own = same.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: METHODS.filter((method) => !own.includes(method)),
      url,
      async onRequest(request, reply) {
        await gate.measure(request, reply)
        reply.header('allow', own.join(', '))
        throw new ApiError('method_not_allowed', `This method is not allowed. Use ${own.join(' or ')}.`)
      },
      handler: () => {},
    })
  }
}
