import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleSession, NOBODY } from '../access/principal.ts'
import { type Network, networkOf, sourceAddress } from '../access/source-address.ts'
import type { TokenRing } from '../access/token-ring.ts'
import { andThen } from './at-once.ts'
import { demandPolicy } from './demand-policy.ts'
import { ApiError } from './errors.ts'
import { type Gate, planLacks } from './gate.ts'
import { type Ceiling, judge, type RequestCounter, secondsUntil, writeHeaders } from './rate-limit.ts'
import type { Route } from './route.ts'
import type { BrowserSession, SessionCookies } from './session-cookie.ts'
import { refuseUnknown } from './unknown-tokens.ts'

export type SessionAdmission = {
  readonly sessions: TokenRing<ConsoleSession>
  readonly count: RequestCounter
  readonly cookies: SessionCookies
  readonly proxies: readonly Network[]
  readonly publicUrl: string
  /** Milliseconds since the epoch. */
  now(): number
}

/** What every write of the console sends. A form of a foreign page cannot, and its script may not without being asked for. */
const CONSOLE_HEADER = 'backdesk-console'
/** Chooses one of the accounts that the browser is signed in to; without it the last used one answers. */
const ACCOUNT_HEADER = 'backdesk-account'
const SEAT_REQUESTS_PER_MINUTE = 600
/** Of an address, on routes that need no session. */
const OPEN_REQUESTS_PER_MINUTE = 60
/** How long after a proof of identity routes with `recentProof` are open. */
const PROOF_MS = 10 * 60 * 1000

const IDLE_MS = 12 * 3600 * 1000

/** Makes the gate of the application API, which takes sessions alone. */
export function sessionGate({ sessions, count, cookies, proxies, publicUrl, now }: SessionAdmission): Gate {
  const { origin } = new URL(publicUrl)
  const unknown = refuseUnknown(now)
  const addressOf: Gate['addressOf'] = ({ socket, headers }) =>
    sourceAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined, proxies)

  /** A write comes from a page of the console itself: browsers say so, and foreign pages cannot send the header. */
  function refuseForeign({ method, headers }: FastifyRequest): void {
    if (method === 'GET' || method === 'HEAD') return
    const site = headers['sec-fetch-site']
    const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin'
    if (isOwn && headers[CONSOLE_HEADER] !== undefined) return
    throw new ApiError(
      'forbidden',
      `The request was not sent by the console. Send the header Backdesk-Console: 1 and the Origin ${origin}.`,
    )
  }

  function chosen({ headers }: FastifyRequest): BrowserSession | undefined {
    const own = cookies.read(headers.cookie)
    const account = headers[ACCOUNT_HEADER]
    return account === undefined ? own[0] : own.find((session) => String(session.account) === account)
  }

  /** Counts a request, and goes on unless it is one too many. */
  function counted<T>(account: number, ceilings: readonly Ceiling[], reply: FastifyReply, go: () => T): T | Promise<T> {
    return andThen(count(account, ceilings), (counts) => {
      const verdict = counts && judge(counts, ceilings)
      if (verdict) writeHeaders(reply, verdict)
      if (!verdict || verdict.allowed) return go()
      const retryAfter = secondsUntil(verdict, now())
      throw new ApiError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retryAfter })
    })
  }

  return {
    addressOf,
    measure() {},
    admit(route, request, reply) {
      refuseForeign(request)
      const address = addressOf(request)
      if (route.open) {
        const ceiling = { name: `open ${networkOf(address)}`, limit: OPEN_REQUESTS_PER_MINUTE }
        return counted(0, [ceiling], reply, () => NOBODY)
      }
      const found = chosen(request)
      const resolved = found ? sessions.resolve(found.token) : null
      if (resolved === null) throw signedOut()
      return andThen(resolved, (session) => {
        if (!session) return unknown(address, signedOut())
        if (session.actor.account !== found?.account) throw signedOut()
        request.principal = session
        if (hasEnded(session, now())) throw new ApiError('unauthorized', 'The session has ended. Sign in again.')
        return counted(session.actor.account, ceilingsOf(route, session), reply, () => {
          refuse(route, session, now())
          if (!route.passive) sessions.used(session, address)
          return session
        })
      })
    },
  }
}

function ceilingsOf({ path, perMinute }: Route, { actor: { seat } }: ConsoleSession): Ceiling[] {
  const all = { name: `seat ${seat}`, limit: SEAT_REQUESTS_PER_MINUTE }
  return perMinute === undefined ? [all] : [all, { name: `seat ${seat} ${path}`, limit: perMinute }]
}

const signedOut = () => new ApiError('unauthorized', 'Nobody is signed in here. Sign in to the console.')

/** Whether a session is over. `now` is milliseconds since the epoch. */
export const hasEnded = ({ ended, expiresAt, lastUsedAt }: ConsoleSession, now: number): boolean =>
  ended || expiresAt <= now || lastUsedAt + IDLE_MS <= now

/** What a session that lives may still be refused: plan, role, and a proof that is too old. */
function refuse(route: Route, session: ConsoleSession, now: number): void {
  const { plan, actor } = session
  if (session.lacksFactor && !route.enrols)
    throw new ApiError(
      'second_factor_required',
      'A second factor is needed. Confirm with yours at POST /session/proof, or enrol one at /session/totp or /session/passkeys.',
    )
  if (route.feature && !plan.features.has(route.feature)) throw planLacks(plan, route.feature)
  demandPolicy(actor.policies, route.policy)
  if (route.recentProof) demandProof(session, now)
}

/** Refuses a session whose person has not proven who they are lately. `now` is milliseconds since the epoch. */
export function demandProof({ provenAt }: ConsoleSession, now: number): void {
  if (provenAt + PROOF_MS > now) return
  throw new ApiError('proof_required', 'Confirm that it is you at POST /session/proof.')
}
