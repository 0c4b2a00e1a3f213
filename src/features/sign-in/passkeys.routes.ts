import { randomBytes } from 'node:crypto'
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server'
import Type from 'typebox'
import { hashToken, makeToken } from '../../platform/access/token.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, itemOf } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type Input, openRoute, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { maybe } from '../../platform/http/shapes.ts'
import { StaleRecord } from '../../platform/http/stale.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { signInAttempts } from './attempts.ts'
import { signIn } from './browser-sessions.ts'
import { addPasskey, changePasskeyName, isOfSeat, removePasskey } from './commands/passkeys.ts'
import { renewRecoveryCodes } from './commands/recovery-codes.ts'
import { PasskeyAnswered, RecoveryCodes, SIGNED_IN, seatOf } from './factor-parts.ts'
import { findFactors, findPendingSignIn } from './factors.store.ts'
import {
  credentialIdIn,
  handleIn,
  handleOf,
  type RelyingParty,
  readSignature,
  relyingPartyOf,
} from './passkey-answers.ts'
import {
  findPasskeyOfAnybody,
  insertSignInChallenge,
  listCredentials,
  listPasskeys,
  notePasskeyUse,
  readPasskey,
  saveChallenge,
  takeSignInChallenge,
} from './passkeys.store.ts'
import { passkeyView } from './passkeys.view.ts'
import { noteFactor } from './sessions.store.ts'

const SIGNING_IN = { name: 'Signing in', description: 'How a person begins a session of the console.' }
const COMMON = {
  tag: { name: 'Passkeys', description: 'The passkeys of the person of a session.' },
  scope: null,
  policy: null,
  enrols: true,
} as const
const CHALLENGE_BYTES = 32
const TOKEN_PREFIX = 'cha_'
const TIMEOUT_MS = 5 * 60 * 1000
const MOST_PASSKEYS = 20
const Passkey = viewSchema(passkeyView, 'Passkey')
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Options = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'For `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of the browser.',
})
const OPTIONS = {
  status: 200,
  body: Type.Object({ data: Type.Object({ options: Options }) }),
  description: 'The options for the browser, with a challenge that is good once, for five minutes.',
} as const
const ofPasskey = byId('passkey')
const whole = { status: 200, body: Type.Object({ data: Passkey }), description: 'The passkey.' } as const
const isUnknown = () =>
  new ApiError('unauthorized', 'This passkey cannot sign in here. Try again, or sign in with your password.')

const shown = async (reader: AccountReader, input: Pick<Input, 'actor'>, id: string) =>
  itemOf(await reader.one(readPasskey(input.actor.policies), { seat: seatOf(input), id }), 'passkey')

/** The options to sign a new challenge that is bound to `to`, with a passkey of the seat. */
async function signingOptions(
  tx: AccountTx,
  seat: string,
  bound: { readonly to: string; readonly purpose: 'proof' | 'second_factor' },
  { id }: RelyingParty,
): Promise<object> {
  const known = await tx.all(listCredentials, { seat })
  if (known.length === 0) throw new ApiError('conflict', 'Your seat has no passkey.')
  const challenge = randomBytes(CHALLENGE_BYTES)
  tx.later(saveChallenge, { ...bound, challenge })
  return generateAuthenticationOptions({
    rpID: id,
    challenge: Uint8Array.from(challenge),
    userVerification: 'required',
    timeout: TIMEOUT_MS,
    allowCredentials: credentialsOf(known),
  })
}
const credentialsOf = (known: readonly { credential_id: Buffer; transports: string[] }[]) =>
  known.map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }))

const signingIn: readonly Route[] = [
  openRoute({
    method: 'POST',
    path: '/sign_in/passkey/options',
    tag: SIGNING_IN,
    summary: 'Begin to sign in with a passkey',
    description: 'No address is sent: the passkey that answers names its seat.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          token: Type.String({ maxLength: 200, description: 'For `POST /sign_in/passkey`, once, within 5 minutes.' }),
          options: Options,
        }),
      }),
      description: 'The options for the browser.',
    },
    errors: [],
    async handle({ db }, { publicUrl }) {
      const challenge = randomBytes(CHALLENGE_BYTES)
      const token = makeToken(TOKEN_PREFIX)
      const options = await generateAuthenticationOptions({
        rpID: relyingPartyOf(publicUrl).id,
        challenge: Uint8Array.from(challenge),
        userVerification: 'required',
        timeout: TIMEOUT_MS,
      })
      const hash = hashToken(token)
      await db.askSystem('keep a challenge to sign in', insertSignInChallenge, { hash, challenge })
      return jsonText({ data: { token, options } })
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/passkey',
    tag: SIGNING_IN,
    summary: 'Sign in with a passkey',
    description: 'A passkey verifies its person, so it counts as both factors.',
    takes: { body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), passkey: PasskeyAnswered }) },
    answers: SIGNED_IN,
    errors: ['unauthorized', 'rate_limited', 'validation_failed'],
    async handle(tools, input) {
      const { token, passkey } = input.body
      const party = relyingPartyOf(input.publicUrl)
      const attempt = { email: 'passkey', address: input.address, isKnownNetwork: true, device: null }
      const found = await signInAttempts(tools.db, tools.attempts).guard(attempt, async () => {
        const hash = hashToken(token)
        const [asked] = await tools.db.askSystem('take a challenge to sign in', takeSignInChallenge, { hash })
        const credentialId = credentialIdIn(passkey)
        if (!asked || !credentialId) return null
        const [own] = await tools.db.askSystem('find a passkey', findPasskeyOfAnybody, { credentialId })
        if (!own || handleIn(passkey) === null || !isOfSeat(passkey, own.seat)) return null
        const counter = await readSignature(passkey, asked.challenge, party, own)
        return counter === null ? null : { ...own, counter: String(counter) }
      })
      if (!found) throw isUnknown()
      const prove = async (tx: AccountTx) => {
        if (!(await tx.one(notePasskeyUse, { id: found.id, counter: found.counter }))) throw isUnknown()
      }
      return signIn(tools, input, [found], 'passkey', prove, true)
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/second_factor/passkey_options',
    tag: SIGNING_IN,
    summary: 'Begin to show a passkey as the second factor',
    takes: { body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }) },
    answers: OPTIONS,
    errors: ['not_found', 'conflict', 'validation_failed'],
    async handle({ db }, { body, publicUrl, address }) {
      const hash = hashToken(body.token)
      const [pending] = await db.askSystem('find a sign-in that waits for a factor', findPendingSignIn, { hash })
      if (!pending) throw new ApiError('not_found', 'This sign-in has expired. Sign in with your password again.')
      const { account, id, seat } = pending
      const bound = { to: id, purpose: 'second_factor' } as const
      const party = relyingPartyOf(publicUrl)
      const operator = { name: `seat ${seat}`, source: address, seat }
      const options = await db.inAccount(account, (tx) => signingOptions(tx, seat, bound, party), operator)
      return jsonText({ data: { options } })
    },
  }),
]

const ofSession: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/session/passkeys',
    summary: 'List own passkeys',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(Passkey, { maxItems: MOST_PASSKEYS }) }),
      description: 'The passkeys of the seat, oldest first.',
    },
    errors: [],
    async handle(reader, input) {
      const rows = await reader.all(listPasskeys(input.actor.policies), { seat: seatOf(input) })
      return `{"data":[${rows.map(({ item }) => item).join(',')}]}` as never
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/passkeys/options',
    summary: 'Begin to add a passkey',
    recentProof: true,
    takes: {},
    answers: OPTIONS,
    errors: ['conflict', 'proof_required'],
    async handle(tx, input) {
      const seat = seatOf(input)
      const { id } = relyingPartyOf(input.publicUrl)
      const [known, factors] = await Promise.all([tx.all(listCredentials, { seat }), tx.one(findFactors, { seat })])
      if (known.length >= MOST_PASSKEYS)
        throw new ApiError('conflict', `A seat has at most ${MOST_PASSKEYS} passkeys. Remove one first.`)
      const challenge = randomBytes(CHALLENGE_BYTES)
      tx.later(saveChallenge, { to: input.principal.id, purpose: 'registration', challenge })
      const options = await generateRegistrationOptions({
        rpName: 'Backdesk',
        rpID: id,
        userID: handleOf(seat),
        userName: factors?.email ?? '',
        userDisplayName: `${factors?.email}, ${factors?.agency}`,
        challenge: Uint8Array.from(challenge),
        timeout: TIMEOUT_MS,
        excludeCredentials: credentialsOf(known),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      return jsonText({ data: { options } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/passkeys',
    summary: 'Add a passkey',
    description:
      'Takes what the browser answers to the options, in the session that asked for them. The first second factor of a seat also makes its recovery codes.',
    shownOnce: ['recovery_codes'],
    takes: { body: Type.Object({ name: Name, passkey: PasskeyAnswered }) },
    answers: {
      status: 201,
      body: Type.Object({ data: Type.Object({ passkey: Passkey, recovery_codes: maybe(RecoveryCodes) }) }),
      description: 'The passkey, and the recovery codes; null where the seat has some already.',
    },
    errors: ['conflict', 'validation_failed'],
    prepare: async (input, _, { sessions }) => ({ forget: () => sessions.forget(input.principal.id) }),
    async handle(tx, input, { forget }) {
      const { principal, address, body, publicUrl } = input
      const seat = seatOf(input)
      const given = { seat, session: principal.id, name: body.name, address }
      const id = await addPasskey(tx, given, body.passkey, relyingPartyOf(publicUrl))
      const left = (await tx.one(findFactors, { seat }))?.recovery_codes
      tx.later(noteFactor, { id: principal.id })
      tx.afterCommit(forget)
      const codes = left === 0 ? renewRecoveryCodes(tx, seat) : null
      const passkey = JSON.parse(await shown(tx, input, id)) as never
      return jsonText({ data: { passkey, recovery_codes: codes } })
    },
  }),
  ...patchAndPut({
    ...COMMON,
    path: '/session/passkeys/:id',
    summary: 'Rename a passkey',
    takes: {
      ...ofPasskey,
      body: Type.Object({
        version: Type.Integer({ minimum: 1, description: 'The version that was read.' }),
        name: Name,
      }),
    },
    answers: whole,
    errors: ['not_found', 'validation_failed', 'stale'],
    async handle(tx, input) {
      const { id } = input.params
      const { version, name } = input.body
      await changePasskeyName(tx, { seat: seatOf(input), id, name }, async (stored) => {
        if (stored !== version) throw new StaleRecord(await shown(tx, input, id))
      })
      return `{"data":${await shown(tx, input, id)}}` as never
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/session/passkeys/:id',
    summary: 'Remove a passkey',
    description: 'Refused where it is the only second factor and the account demands one.',
    recentProof: true,
    takes: ofPasskey,
    answers: { status: 204, body: Type.Null(), description: 'Done.' },
    errors: ['not_found', 'conflict', 'proof_required'],
    async handle(tx, input) {
      await removePasskey(tx, seatOf(input), input.params.id, input.address)
      return NO_BODY
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/proof/passkey_options',
    summary: 'Begin to prove who you are with a passkey',
    takes: {},
    answers: OPTIONS,
    errors: ['conflict'],
    async handle(tx, input) {
      const bound = { to: input.principal.id, purpose: 'proof' } as const
      return jsonText({
        data: { options: await signingOptions(tx, seatOf(input), bound, relyingPartyOf(input.publicUrl)) },
      })
    },
  }),
]

export const passkeyRoutes: readonly Route[] = [...signingIn, ...ofSession]
