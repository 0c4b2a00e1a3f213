import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import { describe, expect, it } from 'vitest'
import { bodiesInFlight } from './bodies-in-flight.ts'

const LIMIT = 100_000
const [OF_ACCOUNT, OF_PROCESS] = [200_000, 500_000]
const FREE = 16 * 1024

describe('bodies in flight', () => {
  it('are never more than an account and the process may have, whatever comes and ends in whatever order', () => {
    const step = fc.record({
      account: fc.integer({ min: 1, max: 5 }),
      /** Null is a body that does not say its length. */
      length: fc.option(fc.integer({ min: 0, max: 1.2 * LIMIT })),
      ends: fc.nat(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { take } = bodiesInFlight(OF_ACCOUNT, OF_PROCESS)
        const open: { account: number; bytes: number; raw: EventEmitter }[] = []
        const sum = (of = open) => of.reduce((bytes, body) => bytes + body.bytes, 0)
        for (const { account, length, ends } of steps) {
          const raw = new EventEmitter()
          const headers = length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
          const refusal = take({ actor: { account } } as never, LIMIT, { headers } as never, { raw } as FastifyReply)
          const bytes = length ?? LIMIT
          const own = sum(open.filter((body) => body.account === account))
          const expected =
            bytes <= FREE
              ? undefined
              : bytes > LIMIT
                ? 'payload_too_large'
                : own + bytes > OF_ACCOUNT
                  ? 'rate_limited'
                  : sum() + bytes > OF_PROCESS
                    ? 'unavailable'
                    : undefined
          expect(refusal?.code).toBe(expected)
          if (expected !== undefined && expected !== 'payload_too_large') expect(refusal?.retryAfter).toBeGreaterThan(0)
          if (!expected && bytes > FREE) open.push({ account, bytes, raw })
          if (ends % 3 === 0) open.splice(ends % (open.length || 1), 1)[0]?.raw.emit('close')
        }
      }),
    )
  })
  it('reserve nothing for a response that has closed already, and so never closes again', () => {
    const { take } = bodiesInFlight(OF_ACCOUNT, OF_PROCESS)
    const taken = (closed: boolean) => {
      const raw = Object.assign(new EventEmitter(), { closed })
      return take(
        { actor: { account: 1 } } as never,
        LIMIT,
        { headers: { 'content-length': String(LIMIT) } } as never,
        { raw } as never,
      )?.code
    }
    expect([true, true, true, false, false, false].map(taken)).toEqual([...Array(5).fill(undefined), 'rate_limited'])
  })
})
