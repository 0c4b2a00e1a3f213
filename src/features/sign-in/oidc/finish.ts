import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { OpenTools } from '../../../platform/http/route.ts'
import { sessionCookies } from '../../../platform/http/session-cookie.ts'
import { hasEnded } from '../../../platform/http/session-gate.ts'
import { type Browser, signIn } from '../browser-sessions.ts'
import { findInvitation, takeLink } from '../credentials.store.ts'
import { noteProof } from '../sessions.store.ts'
import { linkIdentity } from './commands/link-identity.ts'
import { holdIdentity } from './identities.store.ts'
import type { Pending } from './pending.store.ts'
import { SignInProblem } from './problem.ts'

/** Who somebody is to a provider of an account, as the provider has proven. */
export type Proven = {
  readonly account: number
  readonly provider: string
  readonly subject: string
  /** Whether the account takes this for a second factor. */
  readonly secondFactor: boolean
}

/** Does what the browser was sent to the provider for. Answers the cookies that it gets. Throws a `SignInProblem`. */
export async function finish(
  tools: OpenTools,
  browser: Browser,
  pending: Pending,
  proven: Proven,
): Promise<readonly string[]> {
  if (pending.purpose === 'sign_in') return signInByProvider(tools, browser, proven)
  if (pending.purpose === 'invitation') return acceptInvitation(tools, browser, String(pending.link), proven)
  await useSession(tools, browser, pending, proven)
  return []
}

/** An e-mail address that the provider may send tells nothing: only who was linked before is signed in. */
async function signInByProvider(
  tools: OpenTools,
  browser: Browser,
  { account, provider, subject, secondFactor }: Proven,
) {
  const find = (tx: AccountTx) => tx.one(holdIdentity, { provider, subject })
  const found = await tools.db.inAccount(account, find, { name: 'a person who signs in', source: browser.address })
  if (!found) throw new SignInProblem('not_linked')
  const { cookies = [] } = await signIn(
    tools,
    browser,
    [{ account, ...found }],
    'provider',
    async (tx) => {
      // It may have been unlinked since.
      if ((await find(tx))?.seat !== found.seat) throw new SignInProblem('not_linked')
    },
    secondFactor,
  )
  return cookies
}

async function acceptInvitation(tools: OpenTools, browser: Browser, link: string, proven: Proven) {
  const { account, provider, subject, secondFactor } = proven
  const [invited] = await tools.db.askSystem('find an invitation', findInvitation, { account, id: link })
  if (!invited) throw new SignInProblem('link_used')
  const { cookies = [] } = await signIn(
    tools,
    browser,
    [{ account, ...invited }],
    'provider',
    async (tx) => {
      if (!(await tx.one(takeLink, { id: link }))) throw new SignInProblem('link_used')
      await linkIdentity(tx, { seat: invited.seat, provider, subject }, browser.address)
    },
    secondFactor,
  )
  return cookies
}

/** What a session asked for: to link an identity, or to prove who its person is. The browser still has that session. */
async function useSession(
  { db, sessions }: OpenTools,
  { publicUrl, headers, address, now }: Browser,
  { purpose, session: asked }: Pending,
  { account, provider, subject }: Proven,
): Promise<void> {
  const own = sessionCookies(publicUrl)
    .read(headers.cookie)
    .find((each) => each.account === account)
  const session = own && (await sessions.resolve(own.token))
  if (!session || session.id !== asked || hasEnded(session, now)) throw new SignInProblem('signed_out')
  const seat = String(session.actor.seat)
  const work = async (tx: AccountTx) => {
    if (purpose === 'link') return linkIdentity(tx, { seat, provider, subject }, address)
    if ((await tx.one(holdIdentity, { provider, subject }))?.seat !== seat) throw new SignInProblem('not_linked')
    tx.later(noteProof, { id: session.id })
    auditOwn(tx, { action: 'session.proven', subjectType: 'session', subjectId: session.id })
  }
  await db.inAccount(account, work, { name: `seat ${seat}`, source: address, seat })
}
