import Type from 'typebox'
import type { ConsoleSession } from '../../platform/access/principal.ts'
import { auditOwn } from '../../platform/audit.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, type Route, type RouteAnswer, route } from '../../platform/http/route.ts'
import { sessionCookies } from '../../platform/http/session-cookie.ts'
import { demandProof } from '../../platform/http/session-gate.ts'
import { Instant } from '../../platform/http/shapes.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { chosenPassword, setPassword } from './commands/set-password.ts'
import { findPassword, findSeat, holdPassword } from './credentials.store.ts'
import { isPassword } from './password-hash.ts'
import { endSession, endSessionsOfSeat, listSessions, noteProof } from './sessions.store.ts'
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

/** A session belongs to a seat, or there is none. */
const seatOf = ({ actor }: Pick<Input, 'actor'>): string => String(actor.seat)

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
    takes: {},
    answers: NO_CONTENT,
    errors: [],
    async handle(tx, input): Promise<RouteAnswer> {
      const { id } = input.principal
      await tx.one(endSession, { seat: seatOf(input), id })
      auditOwn(tx, { action: 'session.ended', subjectType: 'session', subjectId: id })
      return { body: NO_BODY, cookies: [cookieWithout(input, input.actor.account)] }
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
    description: 'Opens the routes that need a recent proof, for ten minutes.',
    perMinute: GUESSES_PER_MINUTE,
    takes: { body: Type.Object({ password: Password }) },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ proven_at: Instant }) }),
      description: 'When it was proven.',
    },
    errors: ['validation_failed'],
    // Comparing passwords takes its time, so no transaction is open meanwhile.
    async prepare(input, inTransaction) {
      const known = await inTransaction((tx) => tx.one(findPassword, { seat: seatOf(input) }))
      if (!(await isPassword(input.body.password, known?.hash ?? null))) throw wrong('password')
    },
    async handle(tx, { principal: { id } }) {
      tx.later(noteProof, { id })
      auditOwn(tx, { action: 'session.proven', subjectType: 'session', subjectId: id })
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
    async prepare(input, inTransaction) {
      const seat = seatOf(input)
      const { current_password: current, password } = input.body
      const [known, person] = await inTransaction((tx) =>
        Promise.all([tx.one(findPassword, { seat }), tx.one(findSeat, { seat })]),
      )
      if (!known) demandProof(input.principal as ConsoleSession, input.now)
      else if (!(await isPassword(current ?? '', known.hash))) throw wrong('current_password')
      const hash = await chosenPassword(password, [person?.email ?? null, person?.name ?? null])
      return { hash, known: known?.hash }
    },
    async handle(tx, input, { hash, known }) {
      const seat = seatOf(input)
      // The person may have chosen another one since it was compared.
      if ((await tx.one(holdPassword, { seat }))?.hash !== known) throw wrong('current_password')
      setPassword(tx, seat, hash, input.principal.id)
      return NO_BODY
    },
  }),
]
