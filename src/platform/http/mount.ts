import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Key } from '../access/key-ring.ts'
import { auditOwn } from '../audit.ts'
import type { Database } from '../db/database.ts'
import { keyOperator } from '../operator.ts'
import type { Seal } from '../seal.ts'
import { andThen } from './at-once.ts'
import { bodiesInFlight } from './bodies-in-flight.ts'
import { encoded } from './compress.ts'
import type { Cursors } from './cursors.ts'
import { deprecationHeaders } from './deprecation.ts'
import { ApiError } from './errors.ts'
import type { Gate } from './gate.ts'
import { fingerprint, goingOn, KEY_MAXIMUM, once } from './idempotency.ts'
import { inputReader } from './input-reader.ts'
import { FILE_BODY_LIMIT_BYTES, receiveFile } from './receive-file.ts'
import type { Answer, Input, InTransaction, Route, Tools } from './route.ts'

type Platform = Tools & {
  readonly gate: Gate
  readonly db: Database
  readonly cursors: Cursors
  readonly seal: Seal
  /** Milliseconds since the epoch. */
  now(): number
}

export const BODY_LIMIT_BYTES = 256 * 1024
const INGEST_BODY_LIMIT_BYTES = 10 * 1024 * 1024
const NO_CONTENT = 204
const JSON_TYPE = 'application/json'
const FILE_TYPE = 'multipart/form-data'

/** Gives every route its address, its gate, and its transaction. */
export function mount(app: FastifyInstance, routes: readonly Route[], platform: Platform): void {
  const bodies = bodiesInFlight()
  for (const route of routes.filter(({ takes }) => !takes.file)) add(app, route)
  app.register(async (uploads) => {
    readFiles(uploads)
    for (const route of routes.filter(({ takes }) => takes.file)) add(uploads, route)
  })
  refuseOtherMethods(app, routes, platform.gate)

  function add(to: FastifyInstance, route: Route): void {
    const read = inputReader(route, platform)
    const type = contentType(route)
    const limit = bodyLimit(route)
    const answer = route.method === 'GET' ? look : route.takes.file ? receive : write
    const going = route.deprecated && deprecationHeaders(route.deprecated)
    to.route({
      method: route.method,
      url: route.path,
      bodyLimit: limit,
      onRequest(request, reply, done) {
        if (going) reply.headers(going)
        const admitted = (key: Key) => {
          done(encodingRefusal(request) ?? (answer === look ? undefined : bodies.take(key, limit, request, reply)))
        }
        try {
          const key = platform.gate.admit(route, request, reply)
          if (key instanceof Promise) key.then(admitted).catch(done)
          else admitted(key)
        } catch (error) {
          done(error as Error)
        }
      },
      handler(request, reply) {
        const input = read(request, request.key as Key)
        reply.code(route.answers.status)
        if (route.answers.status !== NO_CONTENT) reply.header('content-type', type)
        return andThen(answer(route, input, request, reply), (answered) =>
          encoded(request, reply, tell(reply, answered)),
        )
      },
    })
  }

  function look(route: Route, input: Input): string | Answer | Promise<string | Answer> {
    const answered = answerOf(route, input)
    const entry = route.audits?.(input)
    if (!entry) return answered
    return andThen(answered, async (answer) => {
      await platform.db.inAccount(input.actor.account, async (tx) => auditOwn(tx, entry), keyOperator(input))
      return answer
    })
  }

  function answerOf(route: Route, input: Input): string | Answer | Promise<string | Answer> {
    const { db } = platform
    const { account } = input.actor
    const from = route.slow ? db.reports(account) : db.reader(account)
    if (!route.find) return route.handle(from as never, input, undefined)
    return route.find(db.reader(account), input).then((found) => route.handle(from as never, input, found))
  }

  /** A body with unknown names is refused, together with what else the write finds wrong. */
  function write(route: Route, input: Input, request: FastifyRequest, reply: FastifyReply) {
    const { unknownAttributes } = input
    if (!unknownAttributes) return change(route, input, request, reply)
    const refusing: Route = {
      ...route,
      async handle(tx, ...rest) {
        await route.handle(goingOn(tx as never) as never, ...rest)
        unknownAttributes.refuse()
        return ''
      },
    }
    return change(refusing, input, request, reply).catch((error) => {
      throw unknownAttributes.joinedTo(error)
    })
  }

  async function receive(route: Route, input: Input, request: FastifyRequest, reply: FastifyReply) {
    const type = request.headers['content-type'] ?? ''
    const file = await receiveFile(type, request.body as Readable, platform.files.spool)
    try {
      return await change(route, { ...input, file } as never, request, reply)
    } finally {
      await file.content.drop()
    }
  }

  async function change(route: Route, input: Input, request: FastifyRequest, reply: FastifyReply) {
    const { account, policies } = input.actor
    const operator = keyOperator(input)
    const key = idempotencyKey(request)
    const inTransaction: InTransaction = (fn) => platform.db.inAccount(account, fn, operator)
    const prepared = await route.prepare?.(input, inTransaction)
    if (key === null) return inTransaction(async (tx) => route.handle(tx, input, prepared))
    const print = fingerprint(policies, request.method, request.url, telling(input))
    const { replayed, ...answer } = await inTransaction((tx) =>
      once(tx, key, print, platform.seal, route.answers.status, async (same) => route.handle(same, input, prepared)),
    )
    if (replayed) reply.header('idempotent-replay', 'true')
    return answer
  }
}

/** Texts say their letters; a workbook has its own. */
function contentType({ answers: { type = JSON_TYPE } }: Route): string {
  return type.endsWith('.sheet') ? type : `${type}; charset=utf-8`
}

const bodyLimit = ({ takes, ingest }: Route): number =>
  takes.file ? FILE_BODY_LIMIT_BYTES : ingest ? INGEST_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES

/** What of a body tells it from another. The text between the parts of a multipart body is another each time. */
const telling = ({ body, file }: Input): unknown => (file ? { name: file.name, sha256: file.content.sha256 } : body)

/** Routes below take a file where the others take JSON. */
function readFiles(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FILE_TYPE, (_request, body, done) => done(null, body)) // read where the file is taken
  app.addContentTypeParser('*', (_request, _body, done) =>
    done(new ApiError('unsupported_media_type', `Send the file as Content-Type: ${FILE_TYPE}.`)),
  )
}

/** Says in the headers what the answer says beside its body, which is left. */
function tell(reply: FastifyReply, answer: string | Answer): string | Buffer {
  if (typeof answer === 'string') return answer
  const { status, location, filename, body } = answer
  if (status !== undefined) reply.code(status)
  if (location !== undefined) reply.header('location', location)
  if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`)
  return body
}

const encodingRefusal = ({ headers }: FastifyRequest): ApiError | undefined =>
  headers['content-encoding'] === undefined
    ? undefined
    : new ApiError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.')

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** An address that exists answers 405 to the methods that it has not, and names those that it has. */
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
        throw new ApiError('method_not_allowed', `Use ${own.join(' or ')} here.`)
      },
      handler: () => {},
    })
  }
}

function idempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'] as string | undefined
  if (key === undefined) return null
  if (key.trim() === '' || key.length > KEY_MAXIMUM) {
    throw new ApiError('invalid_parameter', `Idempotency-Key takes 1 to ${KEY_MAXIMUM} characters.`, {
      details: { 'Idempotency-Key': [`has to have 1 to ${KEY_MAXIMUM} characters`] },
    })
  }
  return key
}
