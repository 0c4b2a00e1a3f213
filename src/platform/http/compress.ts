import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A smaller response fits into one packet anyway. */
const MINIMUM_BYTES = 1024
const TEXT = /^(text\/|application\/json)/
const CODINGS = ['br', 'gzip'] as const
/** In the order in which they are preferred. */
export type Coding = (typeof CODINGS)[number]

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]
/** Compression levels: a response is compressed once, static content is sent repeatedly. */
const EFFORTS = {
  once: { br: { quality: 3, window: 18 }, gzip: { level: 2 } },
  again: { br: { quality: 9, window: 22 }, gzip: { level: 9 } },
} as const

/** Compresses in a separate thread. */
export function compress(body: string | Buffer, coding: Coding, effort: keyof typeof EFFORTS): Promise<Buffer> {
  const { br, gzip } = EFFORTS[effort]
  if (coding === 'gzip') return zip(body, gzip)
  const params = {
    [BROTLI_PARAM_QUALITY]: br.quality,
    [BROTLI_PARAM_LGWIN]: br.window,
    [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
  }
  return brotli(body, { params })
}

/** The preferred coding of an `Accept-Encoding` header (RFC 9110, 12.5.3) among ours; null for none. */
export function codingFor(accept: string): Coding | null {
  const weights = new Map(
    accept.split(',').map((part) => {
      const [name = '', ...params] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1)
      return [name, Number.isNaN(weight) ? 0 : weight]
    }),
  )
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = CODINGS.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}

/**
 * The body in the coding that its client prefers, or unchanged without the header. Responses are not cached, so `Vary`
 * is not needed then.
 */
export function encoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
): string | Buffer | Promise<Buffer> {
  const accept = headers['accept-encoding']
  if (accept === undefined || body.length < MINIMUM_BYTES || !TEXT.test(String(reply.getHeader('content-type'))))
    return body
  reply.header('vary', 'accept-encoding')
  const coding = codingFor(String(accept))
  if (coding === null) return body
  reply.header('content-encoding', coding)
  return compress(body, coding, 'once')
}
