import { auditOwn } from '../../platform/audit.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { OpenTools, RouteAnswer } from '../../platform/http/route.ts'
import { type BrowserSession, MOST_SESSIONS, sessionCookies } from '../../platform/http/session-cookie.ts'
import { hasEnded } from '../../platform/http/session-gate.ts'
import { jsonText } from '../../platform/json-text.ts'
import { beginSession } from './commands/begin-session.ts'
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
type SeatToSignIn = { readonly account: number; readonly seat: string; readonly email: string }

/**
 * Begins a session of each seat, and answers with the cookies of this browser. A session of before is not gone on with.
 * `prove` runs in the transaction that begins the session: a password changed meanwhile ends it, or lets none begin. A
 * seat that it refuses is left out; if it refuses all of them, so does the answer.
 */
export async function signIn<S extends SeatToSignIn>(
  tools: OpenTools,
  browser: Browser,
  seats: readonly S[],
  method: SignInMethod,
  prove: (tx: AccountTx, seat: S) => Promise<void>,
): Promise<RouteAnswer> {
  const { sessions } = tools
  const { publicUrl, headers, now } = browser
  const begun = await begin(tools, browser, seats, method, prove)
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
  return {
    body: jsonText({ data: all.slice(0, MOST_SESSIONS).map(({ shown }) => shown) }),
    cookies: [cookies.write(kept), knownDevices(publicUrl, tools.attempts, now).remember(headers.cookie, email)],
  }
}

/** One transaction for each account, so a failure on the way ends what was begun before: its token was never sent. */
async function begin<S extends SeatToSignIn>(
  tools: OpenTools,
  browser: Browser,
  seats: readonly S[],
  method: SignInMethod,
  prove: (tx: AccountTx, seat: S) => Promise<void>,
): Promise<BrowserSession[]> {
  const { address, headers } = browser
  const begun: BrowserSession[] = []
  let refusal: ApiError | undefined
  for (const own of seats) {
    const { account, seat } = own
    const given = { seat, method, address, userAgent: headers.userAgent }
    const beginOne = async (tx: AccountTx) => {
      await prove(tx, own)
      return beginSession(tx, given)
    }
    try {
      const token = await tools.db.inAccount(account, beginOne, { name: `seat ${seat}`, source: address, seat })
      begun.push({ account, token })
    } catch (error) {
      if (!(error instanceof ApiError)) {
        await endAll(tools, browser, begun)
        throw error
      }
      refusal = error
    }
  }
  if (begun.length === 0 && refusal) throw refusal
  return begun
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
