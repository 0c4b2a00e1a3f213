import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  isAccountMoved,
  isDatabaseFull,
  isDatabaseTimeout,
  isDatabaseUnavailable,
  isDataError,
  isSerializationFailure,
} from '../db/failures.ts'
import { StorageAway } from '../files/file-store.ts'
import type { Log } from '../log.ts'
import { counter } from '../metrics/instruments.ts'
import { UserError } from '../user-error.ts'
import { apiErrorOf } from './api-error-of.ts'
import { ApiError, notFound } from './errors.ts'
import { askedBy } from './key-traffic.ts'
import { etagOf, StaleRecord } from './stale.ts'

export const RETRY_AFTER_S = 2
/** How long a client has to read the reason before its connection is closed. */
const TIME_TO_READ_MS = 1_000

const refusals = counter('backdesk_refusals_total', 'Requests refused, by error code.', ['code'])

/** A client that disconnects in the middle of its body: there is no one to answer, and no error of ours. */
const clientHungUp = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.destroyed && !raw.complete && (error as { code?: string }).code === 'ECONNRESET'

/** Answers a request with what went wrong, as the client may know it; the rest is for the log. */
export function answerError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ApiError ? error : toApiError(error, request)
  refusals.add([known.code])
  if (known !== error && (known.code === 'internal_error' || known.code === 'unavailable'))
    log.error({ err: error, request: request.id, ...askedBy(request.principal) }, known.code)
  else if (isDataError(error))
    log.warn(
      { err: error, request: request.id, ...askedBy(request.principal) },
      'the database refused a value that validation accepted',
    )
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
  if (known instanceof StaleRecord && known.version !== undefined) reply.header('etag', etagOf(known.version))
  return reply
    .code(known.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: known.message,
        code: known.code,
        ...(known.details && { details: known.details }),
        ...(known instanceof StaleRecord && { data: JSON.parse(known.data) }),
      }),
    )
}

const away = (what: string): ApiError =>
  new ApiError('unavailable', `The ${what}. Try again in a moment.`, { retryAfter: RETRY_AFTER_S })

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof UserError) return apiErrorOf(error)
  if (clientHungUp(error, request))
    return new ApiError('bad_request', 'The connection was closed before the request body was complete.')
  if (isDatabaseUnavailable(error)) return away('database is unavailable')
  if (isDatabaseFull(error)) return away('database is out of disk space')
  if (error instanceof StorageAway) return away('file storage is unavailable')
  if (isAccountMoved(error))
    return new ApiError('unauthorized', 'This account has moved to another cell. Send requests to that cell.')
  if (isSerializationFailure(error))
    return new ApiError('conflict', 'The record was changed by another request. Read it again and retry.')
  if (isDatabaseTimeout(error)) return away('database is busy')
  if (isDataError(error)) {
    return new ApiError(
      'validation_failed',
      `The database refused a value. If you cannot find the cause, contact support with request id ${request.id}.`,
      { details: { base: ['The database refused a value. Check each field.'] } },
    )
  }
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  return (
    frameworkError(statusCode, code, request.routeOptions.bodyLimit) ??
    new ApiError('internal_error', `An internal error occurred. Contact support with request id ${request.id}.`)
  )
}

/** A body that is refused for its length. */
export function bodyTooLarge(limitBytes: number): ApiError {
  const limit = limitBytes < MIB ? `${limitBytes / 1024} KiB` : `${Math.floor(limitBytes / MIB)} MiB`
  return new ApiError('payload_too_large', `The request body is too large. The limit of this address is ${limit}.`)
}
const MIB = 1024 * 1024
const FRAMEWORK_ERRORS: Readonly<Record<number, (bodyLimit: number) => ApiError>> = {
  400: () => new ApiError('bad_request', 'The request is malformed. Send a JSON body, and valid escapes in the path.'),
  404: notFound,
  413: bodyTooLarge,
  414: notFound,
  415: () =>
    new ApiError(
      'unsupported_media_type',
      'The content type is not supported. Send the body as Content-Type: application/json.',
    ),
}
function frameworkError(status: number | undefined, code: string | undefined, bodyLimit: number): ApiError | null {
  const known = status !== undefined && status < 500 ? FRAMEWORK_ERRORS[status] : undefined
  if (known) return known(bodyLimit)
  return code?.startsWith('FST_ERR') && status !== undefined && status < 500
    ? new ApiError('bad_request', 'The request is malformed.')
    : null
}

/** Answers bytes that are not a readable request. `headers` are those of every response. */
export const answerNoRequest =
  (headers: readonly (readonly [name: string, value: string])[]) =>
  (error: { code?: string }, socket: Duplex): void => {
    if (!socket.writable) return void socket.destroy()
    const { status, ...refusal } = refusalOf(error)
    refusals.add([refusal.code])
    const body = JSON.stringify(refusal)
    const lines = [
      `HTTP/1.1 ${status} Refused`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${crypto.randomUUID()}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      'connection: close',
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    // A client that never closes its side would keep the connection forever.
    const closing = setTimeout(() => socket.destroy(), TIME_TO_READ_MS)
    socket.once('close', () => clearTimeout(closing))
  }

function refusalOf({ code }: { code?: string }): { status: number; error: string; code: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, error: 'The URL or the headers are too long. Shorten them.', code: 'bad_request' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, error: 'The request took too long to arrive.', code: 'bad_request' }
  return { status: 400, error: 'The HTTP request is malformed.', code: 'bad_request' }
}
