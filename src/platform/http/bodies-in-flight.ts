import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import { bodyTooLarge, RETRY_AFTER_S } from './answer-error.ts'
import { ApiError } from './errors.ts'
import { FILE_BODY_LIMIT_BYTES } from './receive-file.ts'

/** Four of the largest bodies of one account, and those of four such accounts. */
const ACCOUNT_BYTES = 4 * FILE_BODY_LIMIT_BYTES
const PROCESS_BYTES = 4 * ACCOUNT_BYTES
/** Smaller bodies are limited by the request rates, so the usual write skips this. */
const FREE_BYTES = 16 * 1024

type Asking = Pick<FastifyRequest, 'headers'>
/** Bounds the bytes of request bodies that are being received or worked on. */
export type BodiesInFlight = {
  /**
   * Reserves memory for the body until the request is over; returns why it cannot. Without a length, `limit` bytes are
   * reserved.
   */
  take(
    principal: Pick<Principal, 'actor'>,
    limit: number,
    request: Asking,
    reply: Pick<FastifyReply, 'raw'>,
  ): ApiError | undefined
}

export function bodiesInFlight(accountBytes = ACCOUNT_BYTES, processBytes = PROCESS_BYTES): BodiesInFlight {
  const accounts = new Map<number, number>()
  let all = 0
  const add = (account: number, bytes: number): void => {
    all += bytes
    const sum = (accounts.get(account) ?? 0) + bytes
    if (sum === 0) accounts.delete(account)
    else accounts.set(account, sum)
  }
  return {
    take({ actor: { account } }, limit, { headers }, { raw }) {
      const length = headers['content-length']
      const bytes = length === undefined ? (headers['transfer-encoding'] === undefined ? 0 : limit) : Number(length)
      // A response closes only once, perhaps while the key was looked up: nothing would free what it reserved after that.
      if (bytes <= FREE_BYTES || raw.closed) return
      if (bytes > limit) return bodyTooLarge(limit)
      if ((accounts.get(account) ?? 0) + bytes > accountBytes) return tooMany()
      if (all + bytes > processBytes) return busy()
      add(account, bytes)
      raw.once('close', () => add(account, -bytes))
      return
    },
  }
}

const tooMany = () =>
  new ApiError(
    'rate_limited',
    `This account is sending too many large request bodies at once. Try again in ${RETRY_AFTER_S} s.`,
    {
      retryAfter: RETRY_AFTER_S,
    },
  )
const busy = () =>
  new ApiError('unavailable', `The cell is receiving too many large request bodies. Try again in ${RETRY_AFTER_S} s.`, {
    retryAfter: RETRY_AFTER_S,
  })
