import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { OpenTools, RouteAnswer } from '../../platform/http/route.ts'
import { type BrowserSession, MOST_SESSIONS, sessionCookies } from '../../platform/http/session-cookie.ts'
import { hasEnded } from '../../platform/http/session-gate.ts'
import { jsonText } from '../../platform/json-text.ts'
import { beginPending, type WaitingToken } from './commands/begin-pending.ts'
import { beginSession } from './commands/begin-session.ts'
import { factorsOf, kindsOf } from './factor-kinds.ts'
import { findFactors } from './factors.store.ts'
import { knownDevices } from './known-device.ts'
import { endSession } from './sessions.store.ts'
import type { SignInMethod } from './sessions.view.ts'

export type Browser = {
  readonly publicUrl: string
  readonly address: string
  readonly headers: { readonly cookie: string | undefined; readonly userAgent: string | null }
  /** Milliseconds since the epoch. */
  readonly now: number
}
type Waiting = WaitingToken & { readonly account: number; readonly name: string; readonly kinds: readonly string[] }
type SeatToSignIn = { readonly account: number; readonly seat: string; readonly email: string }

/**
 * Begins a session of each seat, and answers with the cookies of this browser. A session of before is not gone on with.
 * `prove` runs in the transaction that begins the session: a password changed meanwhile ends it, or lets none begin. A
 * seat that it refuses is left out; if it refuses all of them, so does the answer.
 *
 * A seat that has a second factor waits for it instead, unless it was shown. After a provider that does not count as one,
 * the session begins, since the browser comes from elsewhere, and its gate asks for the factor.
 */
export async function signIn<S extends SeatToSignIn>(
  tools: OpenTools,
  browser: Browser,
  seats: readonly S[],
  method: SignInMethod,
  prove: (tx: AccountTx, seat: S) => Promise<void>,
  secondFactor = false,
): Promise<RouteAnswer> {
  const { sessions } = tools
  const { publicUrl, headers, now } = browser
  const { begun, waiting } = await begin(tools, browser, seats, { method, secondFactor }, prove)
  const cookies = sessionCookies(publicUrl)
  const isBegun = ({ account }: BrowserSession) => begun.some((own) => own.account === account)
  const before = cookies.read(headers.cookie)
  const [fresh, former] = await Promise.all([
    namedSessions(sessions, begun),
    namedSessions(
      sessions,
      before.filter((own) => !isBegun(own)),
    ),
  ])
  const all = [...fresh, ...former.filter(({ session }) => !hasEnded(session, now))]
  const kept = all.slice(0, MOST_SESSIONS).map(({ own }) => own)
  // Their tokens are in no browser any more.
  await endAll(tools, browser, [...before.filter(isBegun), ...all.slice(MOST_SESSIONS).map(({ own }) => own)])
  const email = seats[0]?.email ?? ''
  const known = knownDevices(publicUrl, tools.attempts, now)
  return {
    body: jsonText({ data: all.slice(0, MOST_SESSIONS).map(({ shown }) => shown), second_factor: waiting }),
    cookies: [cookies.write(kept), ...(begun.length > 0 ? [known.remember(headers.cookie, email)] : [])],
  }
}

/** One transaction for each account, so a failure on the way ends what was begun before: its token was never sent. */
async function begin<S extends SeatToSignIn>(
  tools: OpenTools,
  browser: Browser,
  seats: readonly S[],
  { method, secondFactor }: { readonly method: SignInMethod; readonly secondFactor: boolean },
  prove: (tx: AccountTx, seat: S) => Promise<void>,
): Promise<{ begun: BrowserSession[]; waiting: Waiting[] }> {
  const { address, headers } = browser
  const place = { address, userAgent: headers.userAgent }
  const begun: BrowserSession[] = []
  const waiting: Waiting[] = []
  let refusal: ApiError | undefined
  for (const own of seats) {
    const { account, seat } = own
    const beginOne = async (tx: AccountTx) => {
      await prove(tx, own)
      const factors = secondFactor ? undefined : await tx.one(findFactors, { seat })
      const lacking = factors && factorsOf(factors) > 0 ? factors : null
      if (!lacking || method === 'provider')
        return { token: await beginSession(tx, { seat, method, secondFactor, owesFactor: lacking !== null, ...place }) }
      const pending = await beginPending(tx, seat, method, place)
      return { waits: { account, name: lacking.agency, kinds: kindsOf(lacking), ...pending } }
    }
    try {
      const { token, waits } = await tools.db.inAccount(account, beginOne, {
        name: `seat ${seat}`,
        source: address,
        seat,
      })
      if (waits) waiting.push(waits)
      else begun.push({ account, token })
    } catch (error) {
      if (!(error instanceof ApiError)) {
        await endAll(tools, browser, begun)
        throw error
      }
      refusal = error
    }
  }
  if (begun.length + waiting.length === 0 && refusal) throw refusal
  return { begun, waiting }
}

/** Ends sessions of this browser by their tokens. Those that are over stay as they are. */
async function endAll({ db, sessions }: OpenTools, { address }: Browser, all: readonly BrowserSession[]) {
  const known = await namedSessions(sessions, all)
  await Promise.all(
    known.map(({ own: { account }, session: { id, actor } }) => {
      const seat = String(actor.seat)
      const end = async (tx: AccountTx) => {
        if (!(await tx.one(endSession, { seat, id }))) return
        auditOwn(tx, { action: 'session.ended', subjectType: 'session', subjectId: id })
      }
      return db.inAccount(account, end, { name: `seat ${seat}`, source: address, seat })
    }),
  )
}

/** The sessions of a browser that this cell has, with the accounts they are of. */
export async function namedSessions(sessions: OpenTools['sessions'], all: readonly BrowserSession[]) {
  const resolved = await Promise.all(all.map(async (own) => ({ own, session: await sessions.resolve(own.token) })))
  return resolved.flatMap(({ own, session }) => {
    if (session?.actor.account !== own.account) return []
    const { account } = JSON.parse(session.identityAt(0)) as { account: { name: string } }
    return [{ own, session, shown: { account: own.account, name: account.name } }]
  })
}
