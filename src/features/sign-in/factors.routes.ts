import Type from 'typebox'
import type { ConsoleSession } from '../../platform/access/principal.ts'
import { hashToken } from '../../platform/access/token.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type Input, type OpenTools, openRoute, type Route, route } from '../../platform/http/route.ts'
import { enumOf, Instant, maybe } from '../../platform/http/shapes.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { signInAttempts } from './attempts.ts'
import { signIn } from './browser-sessions.ts'
import { notifyOfChange } from './commands/notify-seat.ts'
import { renewRecoveryCodes } from './commands/recovery-codes.ts'
import { showFactor } from './commands/show-factor.ts'
import { beginTotp, enrolTotp, removeTotp } from './commands/totp.ts'
import { FACTOR_KINDS, factorsOf, kindsOf } from './factor-kinds.ts'
import { demandOne, givenFactor, RecoveryCodes, SIGNED_IN, seatOf, TotpCode } from './factor-parts.ts'
import {
  countPendingAttempt,
  type Factors,
  findFactors,
  findPendingSignIn,
  takePendingSignIn,
} from './factors.store.ts'
import { knownDevices } from './known-device.ts'
import { noteFactor } from './sessions.store.ts'
import { newTotp } from './totp.ts'

const COMMON = {
  tag: {
    name: 'Second factors',
    description: 'By what the person of a session proves who they are, besides a password.',
  },
  scope: null,
  policy: null,
  enrols: true,
} as const
const NO_CONTENT = { status: 204, body: Type.Null(), description: 'Done.' } as const
const CODES_PER_MINUTE = 10
const noPending = () =>
  new ApiError('not_found', 'This sign-in has expired, or had too many wrong codes. Sign in with your password again.')
const isWrong = () => new ApiError('unauthorized', 'The second factor is wrong, or was used before. Try the next code.')

const ownFactors = async (
  reader: { one(statement: typeof findFactors, input: { seat: string }): Promise<Factors | undefined> },
  input: Pick<Input, 'actor'>,
) => (await reader.one(findFactors, { seat: seatOf(input) })) as Factors

/** Has the requests of this session see at once that it has shown a factor. */
const forgetting =
  ({ sessions }: OpenTools, { principal }: Pick<Input, 'principal'>) =>
  () =>
    sessions.forget(principal.id)

export const factorRoutes: readonly Route[] = [
  openRoute({
    method: 'POST',
    path: '/sign_in/second_factor',
    tag: { name: 'Signing in', description: 'How a person begins a session of the console.' },
    summary: 'Sign in with a second factor',
    description:
      'Goes on with a sign-in whose first factor was right. It is good once, for five minutes and five attempts. Send one of the kinds that the account named.',
    takes: { body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), ...givenFactor }) },
    answers: SIGNED_IN,
    errors: ['not_found', 'rate_limited', 'validation_failed'],
    async handle(tools, input) {
      const { token, ...factor } = input.body
      demandOne(input.body, FACTOR_KINDS)
      const hash = hashToken(token)
      const [pending] = await tools.db.askSystem('find a sign-in that waits for a factor', findPendingSignIn, { hash })
      if (!pending) throw noPending()
      const { account, id, seat, email, method, known_network: isKnownNetwork } = pending
      const operator = { name: `seat ${seat}`, source: input.address, seat }
      const device = knownDevices(input.publicUrl, tools.attempts, input.now).find(input.headers.cookie, email)
      const attempt = { email: `second factor ${seat}`, address: input.address, isKnownNetwork, device }
      const entered = await signInAttempts(tools.db, tools.attempts).guard(attempt, async () => {
        const counted = await tools.db.inAccount(account, (tx) => tx.one(countPendingAttempt, { id }), operator)
        if (!counted) throw noPending()
        const bound = { to: id, purpose: 'second_factor' } as const
        const { address, now, publicUrl } = input
        const showing = { seatSecrets: tools.seatSecrets, address, now, publicUrl, bound }
        const prove = async (tx: AccountTx) => {
          if (!(await tx.one(takePendingSignIn, { id }))) throw noPending()
          if (!(await showFactor(tx, seat, factor, showing))) throw isWrong()
        }
        return signIn(tools, input, [{ account, seat, email }], method, prove, true).catch((error) => {
          if (error instanceof ApiError && error.code === 'unauthorized') return null
          throw error
        })
      })
      if (entered === null) throw isWrong()
      return entered
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/session/second_factor',
    summary: 'Read own second factors',
    description: 'What the seat has, what the account demands, and what `POST /session/proof` takes.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          required: Type.Boolean({ description: 'Whether the account demands a second factor.' }),
          missing: Type.Boolean({ description: 'Whether this session has to enrol or show one before anything else.' }),
          totp_since: maybe(Instant),
          passkeys: Type.Integer({ minimum: 0, maximum: 1000 }),
          recovery_codes: Type.Integer({ minimum: 0, maximum: 10, description: 'Those that were not used.' }),
          proofs: Type.Array(enumOf(['password', ...FACTOR_KINDS]), { maxItems: 1 + FACTOR_KINDS.length }),
        }),
      }),
      description: 'The second factors of the seat.',
    },
    errors: [],
    async handle(reader, input) {
      const factors = await ownFactors(reader, input)
      const { required, totp_since, passkeys, recovery_codes, password } = factors
      const kinds = kindsOf(factors)
      const proofs = kinds.length > 0 || !password ? kinds : (['password'] as const)
      const missing = (input.principal as ConsoleSession).lacksFactor
      return jsonText({ data: { required, missing, totp_since, passkeys, recovery_codes, proofs } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/totp',
    summary: 'Begin to enrol an authenticator app',
    description: 'Answers the secret for the app. It counts once the app has shown a first code.',
    recentProof: true,
    shownOnce: ['secret', 'uri'],
    takes: {},
    answers: {
      status: 201,
      body: Type.Object({
        data: Type.Object({
          secret: maybe(Type.String({ maxLength: 100, description: 'Shown once, to be typed.' })),
          uri: maybe(Type.String({ maxLength: 2000, description: 'Shown once, to be read by the app.' })),
        }),
      }),
      description: 'The secret.',
    },
    errors: ['conflict', 'proof_required'],
    async prepare(input, inTransaction, { seatSecrets }) {
      const { agency, email } = await inTransaction((tx) => ownFactors(tx, input))
      const made = newTotp(agency, email)
      return { ...made, sealed: seatSecrets.seal(made.secret) }
    },
    async handle(tx, input, { secret, uri, sealed }) {
      await beginTotp(tx, seatOf(input), sealed)
      return jsonText({ data: { secret, uri } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/totp/confirm',
    summary: 'Enrol an authenticator app',
    description: 'The first second factor of a seat also makes its recovery codes.',
    perMinute: CODES_PER_MINUTE,
    shownOnce: ['recovery_codes'],
    takes: { body: Type.Object({ code: TotpCode }) },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ recovery_codes: maybe(RecoveryCodes) }) }),
      description: 'The recovery codes; null where the seat has some already.',
    },
    errors: ['conflict', 'validation_failed'],
    prepare: async (input, _, tools) => ({ seatSecrets: tools.seatSecrets, forget: forgetting(tools, input) }),
    async handle(tx, input, { seatSecrets, forget }) {
      const seat = seatOf(input)
      const { address, now } = input
      await enrolTotp(tx, seat, input.body.code, { seatSecrets, address, now })
      const { recovery_codes: left } = await ownFactors(tx, input)
      tx.later(noteFactor, { id: input.principal.id })
      tx.afterCommit(forget)
      return jsonText({ data: { recovery_codes: left === 0 ? renewRecoveryCodes(tx, seat) : null } })
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/session/totp',
    summary: 'Remove the authenticator app',
    description: 'Refused where it is the only second factor and the account demands one.',
    recentProof: true,
    takes: {},
    answers: NO_CONTENT,
    errors: ['conflict', 'proof_required'],
    async handle(tx, input) {
      await removeTotp(tx, seatOf(input), input.address)
      return NO_BODY
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/recovery_codes',
    summary: 'Make new recovery codes',
    description: 'Withdraws the earlier ones. Only for a seat that has a second factor.',
    recentProof: true,
    shownOnce: ['recovery_codes'],
    takes: {},
    answers: {
      status: 201,
      body: Type.Object({ data: Type.Object({ recovery_codes: maybe(RecoveryCodes) }) }),
      description: 'The recovery codes.',
    },
    errors: ['conflict', 'proof_required'],
    async handle(tx, input) {
      if (factorsOf(await ownFactors(tx, input)) === 0)
        throw new ApiError('conflict', 'Your seat has no second factor that codes could replace. Add one first.')
      const seat = seatOf(input)
      const codes = renewRecoveryCodes(tx, seat)
      await notifyOfChange(tx, seat, 'recovery_codes_renewed', input.address)
      return jsonText({ data: { recovery_codes: codes } })
    },
  }),
]
