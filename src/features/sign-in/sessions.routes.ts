import Type from 'typebox'
import type { ConsoleSession } from '../../platform/access/principal.ts'
import { auditOwn } from '../../platform/audit.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, type OpenTools, type Route, route } from '../../platform/http/route.ts'
import { sessionCookies } from '../../platform/http/session-cookie.ts'
import { demandProof } from '../../platform/http/session-gate.ts'
import { Instant } from '../../platform/http/shapes.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { signInAttempts } from './attempts.ts'
import { notifyOfChange } from './commands/notify-seat.ts'
import { chosenPassword, setPassword } from './commands/set-password.ts'
import { showFactor } from './commands/show-factor.ts'
import { findPassword, findSeat, holdPassword } from './credentials.store.ts'
import { FACTOR_KINDS, factorsOf } from './factor-kinds.ts'
import { demandOne, givenFactor, needsFactor, seatOf, wrongFactor } from './factor-parts.ts'
import { findFactors } from './factors.store.ts'
import { isPassword } from './password-hash.ts'
import { endSession, endSessionsOfSeat, listSessions, noteFactor, noteProof } from './sessions.store.ts'
import { sessionView } from './sessions.view.ts'

const COMMON = {
  tag: { name: 'Sessions', description: 'The sessions of the person who is signed in.' },
  scope: null,
  policy: null,
} as const
const Session = viewSchema(sessionView, 'Session')
/** Passwords that a stolen session may try in a minute. */
const GUESSES_PER_MINUTE = 5
const Password = Type.String({ minLength: 1, maxLength: 1000 })
const NO_CONTENT = { status: 204, body: Type.Null(), description: 'Done.' } as const
const wrong = (at: string) =>
  new ApiError('validation_failed', 'The password is wrong. See details.', {
    details: { [at]: ['This is not your password.'] },
  })

/**
 * Looks at a guess made in a session. Guesses are counted for the session: they cannot lock the person of the seat out of
 * another one.
 */
async function guarded(
  { db, attempts }: OpenTools,
  { principal, address }: Pick<Input, 'principal' | 'address'>,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const attempt = { email: `session ${principal.id}`, address, isKnownNetwork: false, device: null }
  return (await signInAttempts(db, attempts).guard(attempt, async () => (await look()) || null)) !== null
}

/** The cookie without the sessions of an account. */
function cookieWithout({ publicUrl, headers }: Pick<Input, 'publicUrl' | 'headers'>, account: number): string {
  const cookies = sessionCookies(publicUrl)
  return cookies.write(cookies.read(headers.cookie).filter((each) => each.account !== account))
}

export const sessionRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/sessions',
    summary: 'List own sessions',
    description: 'The sessions of the seat that are still good, newest first.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Session), description: 'A page of sessions.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, principal, page }) =>
      listText(page, await listSessions(reader, actor.policies, page, {}, { seat: actor.seat, session: principal.id })),
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/sessions/:id',
    summary: 'End a session',
    takes: byId('session'),
    answers: NO_CONTENT,
    errors: ['not_found'],
    async handle(tx, { params: { id }, actor }) {
      if (!(await tx.one(endSession, { seat: seatOf({ actor }), id }))) throw noSuch('session')
      auditOwn(tx, { action: 'session.ended', subjectType: 'session', subjectId: id })
      return NO_BODY
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    description: 'Ends the session that asks.',
    enrols: true,
    takes: {},
    answers: NO_CONTENT,
    errors: [],
    cookies: (input) => [cookieWithout(input, input.actor.account)],
    async handle(tx, input) {
      const { id } = input.principal
      await tx.one(endSession, { seat: seatOf(input), id })
      auditOwn(tx, { action: 'session.ended', subjectType: 'session', subjectId: id })
      return NO_BODY
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/sessions/end_others',
    summary: 'End all other sessions',
    description: 'Ends every session of the seat but the one that asks.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ ended: Type.Integer({ minimum: 0, maximum: 100_000 }) }) }),
      description: 'How many were ended.',
    },
    errors: [],
    async handle(tx, input) {
      const ended = await tx.all(endSessionsOfSeat, { seat: seatOf(input), except: input.principal.id })
      auditOwn(tx, {
        action: 'seat.sessions_ended',
        subjectType: 'seat',
        subjectId: seatOf(input),
        details: { ended: ended.length },
      })
      return jsonText({ data: { ended: ended.length } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/proof',
    summary: 'Prove who you are again',
    description:
      'Opens the routes that need a recent proof, for ten minutes. Send one of the attributes: a seat that has a second factor shows it, another sends its password. After several wrong ones, the next has to wait.',
    perMinute: GUESSES_PER_MINUTE,
    enrols: true,
    takes: { body: Type.Object({ password: Type.Optional(Password), ...givenFactor }) },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ proven_at: Instant }) }),
      description: 'When it was proven.',
    },
    errors: ['validation_failed', 'rate_limited'],
    // Comparing passwords takes its time, so no transaction is open meanwhile. What is good once is used in any case.
    async prepare(input, inTransaction, tools) {
      const { password, ...factor } = input.body
      demandOne(input.body, ['password', ...FACTOR_KINDS])
      const seat = seatOf(input)
      const [known, factors] = await inTransaction((tx) =>
        Promise.all([tx.one(findPassword, { seat }), tx.one(findFactors, { seat })]),
      )
      if (password !== undefined && factors && factorsOf(factors) > 0) throw needsFactor(factors)
      const { address, now, publicUrl } = input
      const bound = { to: input.principal.id, purpose: 'proof' } as const
      const showing = { seatSecrets: tools.seatSecrets, address, now, publicUrl, bound }
      const look = async () =>
        password === undefined
          ? inTransaction((tx) => showFactor(tx, seat, factor, showing))
          : isPassword(password, known?.hash ?? null)
      if (!(await guarded(tools, input, look))) throw password === undefined ? wrongFactor() : wrong('password')
      return { secondFactor: password === undefined, forget: () => tools.sessions.forget(input.principal.id) }
    },
    async handle(tx, { principal: { id } }, { secondFactor, forget }) {
      tx.later(noteProof, { id })
      if (secondFactor) tx.later(noteFactor, { id })
      tx.afterCommit(forget)
      const details = { second_factor: secondFactor }
      auditOwn(tx, { action: 'session.proven', subjectType: 'session', subjectId: id, details })
      return jsonText({ data: { proven_at: await tx.now } })
    },
  }),
  route({
    ...COMMON,
    method: 'PUT',
    path: '/session/password',
    summary: 'Change your password',
    description:
      'Ends every other session of the seat. Who has no password yet sends none, and has signed in within the last ten minutes.',
    perMinute: GUESSES_PER_MINUTE,
    takes: { body: Type.Object({ current_password: Type.Optional(Password), password: Password }) },
    answers: NO_CONTENT,
    errors: ['validation_failed', 'proof_required'],
    async prepare(input, inTransaction, tools) {
      const seat = seatOf(input)
      const { current_password: current, password } = input.body
      const [known, person, factors] = await inTransaction((tx) =>
        Promise.all([tx.one(findPassword, { seat }), tx.one(findSeat, { seat }), tx.one(findFactors, { seat })]),
      )
      if (!known) demandProof(input.principal as ConsoleSession, input.now)
      else if (!(await guarded(tools, input, () => isPassword(current ?? '', known.hash))))
        throw wrong('current_password')
      const personal = [person?.email ?? null, person?.name ?? null, factors?.agency ?? null]
      const hash = await chosenPassword(password, personal)
      return { hash, known: known?.hash }
    },
    async handle(tx, input, { hash, known }) {
      const seat = seatOf(input)
      // The person may have chosen another one since it was compared.
      if ((await tx.one(holdPassword, { seat }))?.hash !== known) throw wrong('current_password')
      setPassword(tx, seat, hash, input.principal.id)
      await notifyOfChange(tx, seat, 'password_changed', input.address)
      return NO_BODY
    },
  }),
]
