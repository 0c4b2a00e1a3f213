import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import type { Key } from '../access/key-ring.ts'
import { PLANS } from '../access/plans.ts'
import { gate } from './gate.ts'
import type { Route } from './route.ts'

/** A key of a plan, which may do nothing else. */
const keyOf = (plan: keyof typeof PLANS): Key => ({
  id: 'key',
  actor: {
    account: 1,
    timeZone: 'UTC',
    scopes: new Set(),
    policies: new Set(),
    seat: 'seat',
    homeBranch: null,
    companies: [],
    branches: [],
  },
  plan: PLANS[plan],
  role: 'none',
  revoked: false,
  expiresAt: Number.POSITIVE_INFINITY,
  networks: null,
  formerSecrets: [],
  identity: '',
})
const request = { headers: {}, socket: {} } as FastifyRequest
const reply = { raw: { setHeader() {} } } as unknown as FastifyReply
const route = { scope: ['full'], policy: null, feature: 'reports_builder' } as unknown as Route
const admit = (plan: keyof typeof PLANS) => () =>
  gate({
    keys: { resolve: () => keyOf(plan), used: () => {}, flush: async () => {} },
    count: () => ({ minute: 0, requests: [] }),
    proxies: [],
    now: () => 0,
  }).admit(route, request, reply)

it('a route that asks for a feature refuses the plans without it, before it looks at scopes', () => {
  expect(admit('growth')).toThrow('The plan Growth lacks reports_builder. Upgrade the plan of the account.')
  expect(admit('business')).toThrow('This API key lacks the scope full.')
})
