import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { networkOf } from '../../platform/access/source-address.ts'
import { hashToken } from '../../platform/access/token.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type OpenTools, openRoute, type Route } from '../../platform/http/route.ts'
import { sessionCookies } from '../../platform/http/session-cookie.ts'
import { hasEnded } from '../../platform/http/session-gate.ts'
import { enumOf, maybe, Text } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { signInAttempts } from './attempts.ts'
import { namedSessions, signIn } from './browser-sessions.ts'
import { notifyOfChange } from './commands/notify-seat.ts'
import { chosenPassword, setPassword } from './commands/set-password.ts'
import { type FoundLink, findSeatsByEmail, findSignInLink, holdPassword, takeLink } from './credentials.store.ts'
import { ACCOUNTS, SIGNED_IN } from './factor-parts.ts'
import { knownDevices } from './known-device.ts'
import { isPassword } from './password-hash.ts'

const TAG = { name: 'Signing in', description: 'How a person begins a session of the console.' }
const Email = Type.String({ minLength: 3, maxLength: 320, description: 'E-mail address of the seat.' })
const Password = Type.String({ minLength: 1, maxLength: 1000 })
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'The token in the fragment of a sign-in link.' })
/** Refusals take a whole number of seconds, so their time tells nothing about whether an address is known. */
const REFUSAL_STEP_MS = 1_000
/**
 * One person has seats in few accounts; each password is compared for itself. Those of this network come first, then those
 * that were signed in to last, so that accounts made with an address of somebody else do not keep that person out.
 */
const MOST_SEATS = 5

const wrong = () => new ApiError('unauthorized', 'The e-mail address or the password is wrong.')
const noLink = () =>
  new ApiError('not_found', 'This link was used or has expired. Ask for another one, or sign in with your password.')

async function linkOf({ db }: OpenTools, token: string): Promise<FoundLink> {
  const [found] = await db.askSystem('find a sign-in link', findSignInLink, { hash: hashToken(token) })
  if (!found) throw noLink()
  return found
}

export const signInRoutes: readonly Route[] = [
  openRoute({
    method: 'GET',
    path: '/sign_in',
    tag: TAG,
    summary: 'List the accounts of this browser',
    description: 'The accounts that this browser is signed in to; none if nobody is signed in.',
    takes: {},
    answers: ACCOUNTS,
    errors: [],
    async handle({ sessions }, { publicUrl, headers, now }) {
      const all = await namedSessions(sessions, sessionCookies(publicUrl).read(headers.cookie))
      return jsonText({ data: all.filter(({ session }) => !hasEnded(session, now)).map(({ shown }) => shown) })
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/password',
    tag: TAG,
    summary: 'Sign in with a password',
    description:
      'Signs in to each account in which a seat has this e-mail address and this password. The answer to a wrong one is the same whether or not the address is known; after several, the next has to wait.',
    takes: {
      body: Type.Object({
        email: Email,
        password: Password,
        account: Type.Optional(
          Type.Integer({ description: 'Number of the only account to sign in to. Who has seats in many needs it.' }),
        ),
      }),
    },
    answers: SIGNED_IN,
    errors: ['unauthorized', 'rate_limited', 'validation_failed'],
    async handle(tools, input) {
      const began = performance.now()
      const { password } = input.body
      const email = input.body.email.trim()
      const found = await tools.db.askSystem('find who signs in', findSeatsByEmail, { email })
      const network = networkOf(input.address)
      const isOfNetwork = ({ networks }: (typeof found)[number]) =>
        networks.some((known) => networkOf(known) === network)
      const [near, others] = [found.filter(isOfNetwork), found.filter((seat) => !isOfNetwork(seat))]
      const isKnownNetwork = near.length > 0
      const chosen = [...near, ...others].filter(({ account }) => account === (input.body.account ?? account))
      const seats = chosen.slice(0, MOST_SEATS)
      const attempts = signInAttempts(tools.db, tools.attempts)
      const { publicUrl, headers, now } = input
      const device = knownDevices(publicUrl, tools.attempts, now).find(headers.cookie, email)
      const attempt = { email, address: input.address, isKnownNetwork, device }
      const lane = isKnownNetwork || device !== null ? 'known' : 'strangers'
      const own = await attempts.guard(attempt, async () => {
        const hashes = seats.length > 0 ? seats.map(({ hash }) => hash) : [null]
        const right = await Promise.all(hashes.map((hash) => isPassword(password, hash, lane)))
        const matching = seats.filter((_, at) => right[at]).map((seat) => ({ ...seat, email }))
        return matching.length > 0 ? matching : null
      })
      if (own === null) {
        await sleep(REFUSAL_STEP_MS - ((performance.now() - began) % REFUSAL_STEP_MS))
        throw wrong()
      }
      return signIn(tools, input, own, 'password', async (tx, { seat, hash }) => {
        if ((await tx.one(holdPassword, { seat }))?.hash !== hash) throw wrong()
      })
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/link/inspect',
    tag: TAG,
    summary: 'Inspect a sign-in link',
    description: 'What a link is for, without using it.',
    takes: { body: Type.Object({ token: Token }) },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          purpose: enumOf(['sign_in', 'invitation', 'reset']),
          email: Text(320),
          name: maybe(Text(1000)),
          account: Text(1000),
        }),
      }),
      description: 'The link.',
    },
    errors: ['not_found', 'validation_failed'],
    async handle(tools, { body }) {
      const { purpose, email, name, account_name: account } = await linkOf(tools, body.token)
      return jsonText({ data: { purpose, email, name, account } })
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/link',
    tag: TAG,
    summary: 'Sign in with a link',
    description:
      'Uses a link, which is good once. An invitation and a reset also choose the password, which ends other sessions of the seat.',
    takes: { body: Type.Object({ token: Token, password: Type.Optional(Password) }) },
    answers: SIGNED_IN,
    errors: ['not_found', 'validation_failed'],
    async handle(tools, input) {
      const { token, password } = input.body
      const { account, id, seat, purpose, email, name, account_name } = await linkOf(tools, token)
      const choosing = purpose !== 'sign_in'
      if (choosing && password === undefined)
        throw new ApiError('validation_failed', 'Choose a password. See details.', {
          details: { password: ['This field is required.'] },
        })
      const hash = choosing && password ? await chosenPassword(password, [email, name, account_name]) : null
      return signIn(tools, input, [{ account, seat, email }], 'link', async (tx) => {
        if (!(await tx.one(takeLink, { id }))) throw noLink()
        if (hash) setPassword(tx, seat, hash, null)
        if (purpose === 'reset') await notifyOfChange(tx, seat, 'password_changed', input.address)
      })
    },
  }),
]
