import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compress } from './compress.ts'

/** Answers with something that stays the same as long as the process runs. */
export type StaticContent = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>

/** Creates it on first use, and compresses it once per accepted coding. */
export function staticContent(type: string, make: () => Promise<string | Buffer> | string | Buffer): StaticContent {
  let made: Promise<string | Buffer> | undefined
  const compressed = new Map<Coding, Promise<Buffer>>()
  const plain = () => {
    made ??= Promise.resolve(make())
    return made
  }
  const packed = (coding: Coding): Promise<Buffer> => {
    const known = compressed.get(coding) ?? plain().then((body) => compress(body, coding, 'again'))
    compressed.set(coding, known)
    return known
  }
  return ({ headers }, reply) => {
    reply.header('content-type', type).header('vary', 'accept-encoding')
    const coding = codingFor(String(headers['accept-encoding'] ?? ''))
    if (coding === null) return plain()
    reply.header('content-encoding', coding)
    return packed(coding)
  }
}
