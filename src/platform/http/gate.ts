import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Feature, INGEST_PER_MINUTE, type Plan } from '../access/plans.ts'
import type { Key, Principal } from '../access/principal.ts'
import { isWithin, type Network, sourceAddress } from '../access/source-address.ts'
import type { TokenRing } from '../access/token-ring.ts'
import { onceFor } from '../once-for.ts'
import { andThen } from './at-once.ts'
import { demandPolicy } from './demand-policy.ts'
import { ApiError } from './errors.ts'
import {
  type Ceiling,
  judge,
  LIMIT_HEADER,
  type RateDecision,
  type RequestCounter,
  secondsUntil,
  type WindowCounts,
  writeHeaders,
} from './rate-limit.ts'
import type { Route } from './route.ts'
import { refuseUnknown } from './unknown-tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set as soon as it is known, so that refusals are logged and counted with it. It does not mean that the request is
     * admitted.
     */
    principal: Principal | null
  }
}

export type Admission = {
  readonly keys: Omit<TokenRing<Key>, 'forget'>
  readonly count: RequestCounter
  readonly proxies: readonly Network[]
  /** Milliseconds since the epoch. */
  now(): number
}

/** How long a response that needs no key waits for the budget of the key that was sent. */
const MEASURED_WITHIN_MS = 250

/** What admits the requests of one surface. */
export type Gate = {
  /** Everything that is refused before a body is read, in the documented order. Synchronous if nothing needs a look-up. */
  admit(route: Route, request: FastifyRequest, reply: FastifyReply): Principal | Promise<Principal>
  /**
   * Counts a request without a required key, or without a route, if it has a usable key: its answer reports the budget,
   * and is never refused or delayed for it. Synchronous without a key.
   */
  measure(request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /** The client address, behind trusted proxies. */
  addressOf(request: FastifyRequest): string
}
/** The gate of the API, which takes keys. */
export type KeyGate = Gate & {
  /** Does the same for a request that is refused unread, if that takes no look-up; null if it would. */
  budgetAtHand(request: Pick<IncomingMessage, 'headers'>): RateDecision | null
}

/** Makes the gate of a cell. */
export function gate({ keys, count, proxies, now }: Admission): KeyGate {
  const unknown = refuseUnknown(now)

  const measured = (
    key: Key,
    ingest: boolean,
    reply: FastifyReply,
  ): RateDecision | null | Promise<RateDecision | null> => {
    const ceilings = ceilingsOf(key.plan)[ingest ? 'ingest' : 'others']
    return andThen(count(key.actor.account, ceilings), (counted) => {
      const verdict = counted && judge(counted, ceilings)
      if (verdict) writeHeaders(reply, verdict)
      return verdict
    })
  }
  const addressOf: Gate['addressOf'] = ({ socket, headers }) =>
    sourceAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined, proxies)
  const isUsable = ({ revoked, expiresAt }: Key): boolean => !revoked && expiresAt > now()
  return {
    addressOf,
    admit(route, request, reply) {
      const address = addressOf(request)
      const found = keys.resolve(tokenOf(request.headers.authorization))
      if (found === null) throw unauthorized()
      return andThen(found, (key) => {
        if (!key) return unknown(address, unauthorized())
        request.principal = key
        if (key.revoked) throw new ApiError('key_revoked', 'This API key was revoked. Use another key.')
        if (key.expiresAt <= now()) throw new ApiError('key_expired', 'This API key has expired. Use another key.')
        return andThen(measured(key, route.ingest ?? false, reply), (verdict) => {
          refuse(route, key, address, verdict, now())
          keys.used(key, address)
          return key
        })
      })
    },
    measure(request, reply) {
      const { headers } = request
      if (headers.authorization === undefined || reply.hasHeader(LIMIT_HEADER)) return
      const counted = async () => {
        const key = await keys.resolve(tokenOf(headers.authorization))
        if (!key || !isUsable(key)) return
        request.principal = key
        await measured(key, false, reply)
      }
      return Promise.race([counted().catch(() => {}), sleep(MEASURED_WITHIN_MS, undefined, { ref: false })])
    },
    budgetAtHand({ headers }) {
      const key = count.inMemory ? keys.atHand(tokenOf(headers.authorization)) : null
      if (!key || !isUsable(key)) return null
      const { others } = ceilingsOf(key.plan)
      return judge(count(key.actor.account, others) as WindowCounts, others)
    },
  }
}

const unauthorized = () =>
  new ApiError(
    'unauthorized',
    'The API key is missing or invalid. Send a key of this cell as Authorization: Bearer sek_….',
  )

const INGEST: Ceiling = { name: 'ingest', limit: INGEST_PER_MINUTE }
/** Asked for with every request, so each plan has its lists once. */
const ceilingsOf = onceFor(({ requestsPerMinute }: Plan) => {
  const account: Ceiling = { name: 'account', limit: requestsPerMinute }
  return { others: [account], ingest: [account, INGEST] }
})

/** What a key that is good may still be refused: address, plan, rate, then scope and role. */
function refuse(
  route: Route,
  { networks, plan, actor }: Key,
  address: string,
  verdict: RateDecision | null,
  now: number,
): void {
  if (networks && !isWithin(address, networks)) {
    throw new ApiError(
      'ip_not_allowed',
      'This API key is not allowed from this IP address. Add the address to the key, or send the request from an allowed address.',
    )
  }
  if (!plan.features.has('api_access')) {
    throw new ApiError(
      'plan_upgrade_required',
      `The plan ${plan.name} does not include API access. Upgrade the plan of the account.`,
    )
  }
  if (route.feature && !plan.features.has(route.feature)) {
    throw planLacks(plan, route.feature)
  }
  if (verdict && !verdict.allowed) {
    const retryAfter = secondsUntil(verdict, now)
    throw new ApiError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter })
  }
  if (actor.seat === null) {
    throw new ApiError('forbidden', 'This account has no owner. Set one in the settings: API keys act as the owner.')
  }
  const scopes = route.scope ?? []
  if (!scopes.some((scope) => actor.scopes.has(scope))) {
    throw new ApiError('forbidden', `This API key lacks the scope ${scopes.join(' or ')}.`)
  }
  demandPolicy(actor.policies, route.policy)
}

/** Refuses a request that the plan does not include, although it includes the API. */
export const planLacks = ({ name }: Plan, feature: Feature): ApiError =>
  new ApiError('plan_gated', `The plan ${name} does not include ${feature}. Upgrade the plan of the account.`)

const tokenOf = (authorization: string | undefined): string => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
