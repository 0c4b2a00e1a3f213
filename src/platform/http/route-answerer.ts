import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { auditOwn } from '../audit.ts'
import type { AccountTx } from '../db/account-tx.ts'
import type { Database } from '../db/database.ts'
import { type JsonText, NO_BODY } from '../json-text.ts'
import { operatorOf } from '../operator.ts'
import type { Seal } from '../seal.ts'
import type { Mac } from '../signed-text.ts'
import { andThen } from './at-once.ts'
import { ApiError } from './errors.ts'
import { fingerprint, KEY_MAXIMUM, once, withoutLast } from './idempotency.ts'
import { acceptedTags, refuseStale } from './if-match.ts'
import { receiveFile } from './receive-file.ts'
import type { HandlerTools, Input, InTransaction, OpenTools, Route, RouteAnswer } from './route.ts'

export type AnswererDeps = Pick<HandlerTools, 'files'> &
  OpenTools & { readonly db: Database; readonly seal: Seal; readonly fingerprints: Mac }
type Reply = JsonText | RouteAnswer | Promise<JsonText | RouteAnswer>

/** How a route runs once its input is read: reads by `look`, writes by `write`, uploads by `receive`. */
export function routeAnswerer(platform: AnswererDeps) {
  /** An open route belongs to no account: its handler opens the transactions that it needs. */
  function open(route: Route, input: Input): Reply {
    input.unknownAttributes?.refuse()
    return route.handle(platform as never, input, undefined)
  }

  function look(route: Route, input: Input): Reply {
    const answered = answerOf(route, input)
    const entry = route.audits?.(input)
    if (!entry) return answered
    return andThen(answered, async (answer) => {
      await platform.db.inAccount(input.actor.account, async (tx) => auditOwn(tx, entry), operatorOf(input))
      return answer
    })
  }

  function answerOf(route: Route, input: Input): Reply {
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
        await route.handle(withoutLast(tx as never) as never, ...rest)
        unknownAttributes.refuse()
        return NO_BODY
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
    const { account, policies, seat } = input.actor
    const operator = operatorOf(input)
    const given = idempotencyKey(request)
    // A replay would show what was sealed again, without an audit entry, and to a role that may no longer see it.
    const key = route.showsSealed ? null : given
    const isOfSession = input.principal.kind === 'session'
    const check = isOfSession && typeof route.versioned === 'object' ? route.versioned : null
    const accepted = check && acceptedTags(request.headers['if-match'])
    const inTransaction: InTransaction = (fn) => platform.db.inAccount(account, fn, operator)
    const prepared = await route.prepare?.(input, inTransaction, platform)
    const cookies = route.cookies?.(input)
    const withCookies = <A extends object>(answer: A): A => (cookies === undefined ? answer : { ...answer, cookies })
    const handle = async (tx: AccountTx) => {
      if (check && accepted) await refuseStale(check, accepted, tx, input)
      return route.handle(tx, input, prepared)
    }
    if (key === null)
      return inTransaction(async (tx) => {
        const answer = await handle(tx)
        return cookies === undefined || typeof answer !== 'string' ? answer : withCookies({ body: answer })
      })
    const plain = fingerprint(
      policies,
      request.method,
      request.url,
      accepted ? { body: fingerprintedBody(input), accepted: [...accepted] } : fingerprintedBody(input),
      isOfSession ? seat : null,
    )
    // A body with a password could be guessed from a plain hash by a reader of the database.
    const print = isOfSession ? platform.fingerprints('write', plain.toString('hex')) : plain
    const { replayed, ...answer } = await inTransaction((tx) =>
      once(tx, key, print, { ...platform, ...route, status: route.answers.status }, handle),
    )
    if (replayed) reply.header('idempotent-replay', 'true')
    return withCookies(answer)
  }

  return { open, look, write, receive }
}

/** The identity of a body. The boundary of a multipart body differs in each request, so its file is used instead. */
const fingerprintedBody = ({ body, file }: Input): unknown =>
  file ? { name: file.name, sha256: file.content.sha256 } : body

function idempotencyKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'] as string | undefined
  if (key === undefined) return null
  if (key.trim() === '' || key.length > KEY_MAXIMUM) {
    throw new ApiError('invalid_parameter', 'The Idempotency-Key is invalid. See details.', {
      details: { 'Idempotency-Key': [`Send 1 to ${KEY_MAXIMUM} characters, not only spaces.`] },
    })
  }
  return key
}
