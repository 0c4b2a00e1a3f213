import Type from 'typebox'
import { hashToken } from '../../platform/access/token.ts'
import { type OpenTools, openRoute, type Route, route } from '../../platform/http/route.ts'
import { Instant, maybe, Text } from '../../platform/http/shapes.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import {
  askForEmail,
  cancelEmailChange,
  confirmEmailChange,
  type MailingLinks,
  noEmailChange,
} from './commands/change-email.ts'
import { findSeat } from './credentials.store.ts'
import { type FoundEmailChange, findEmailChange, findOwnEmailChange } from './email-changes.store.ts'
import { seatOf } from './factor-parts.ts'

const COMMON = {
  tag: { name: 'Sessions', description: 'The sessions of the person who is signed in.' },
  scope: null,
  policy: null,
} as const
const SIGNING_IN = { name: 'Signing in', description: 'How a person begins a session of the console.' }
/** Each sends a mail to an address that is not confirmed. */
const NEW_PER_MINUTE = 3
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'The token in the fragment of the link.' }),
})

async function changeOf({ db }: OpenTools, token: string): Promise<FoundEmailChange> {
  const [found] = await db.askSystem('find a change of an address', findEmailChange, { hash: hashToken(token) })
  if (!found) throw noEmailChange()
  return found
}

const ofSession = (tools: Omit<MailingLinks, 'publicUrl'>): readonly Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: '/session/email',
    summary: 'Read your e-mail address',
    description: 'And the one that it is to become, if both addresses have still to confirm it.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          email: Text(320),
          change: maybe(
            Type.Object({
              email: Text(320),
              confirmed_by_old: Type.Boolean({ description: 'Whether the present address has confirmed it.' }),
              confirmed_by_new: Type.Boolean({ description: 'Whether the new address has confirmed it.' }),
              expires_at: Instant,
            }),
          ),
        }),
      }),
      description: 'The address.',
    },
    errors: [],
    async handle(reader, input) {
      const seat = seatOf(input)
      const [own, waiting] = await Promise.all([
        reader.one(findSeat, { seat }),
        reader.one(findOwnEmailChange, { seat }),
      ])
      const change = waiting
        ? {
            email: waiting.new_email,
            confirmed_by_old: waiting.old_confirmed,
            confirmed_by_new: waiting.new_confirmed,
            expires_at: waiting.expires_at,
          }
        : null
      return jsonText({ data: { email: own?.email ?? '', change } })
    },
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/session/email',
    summary: 'Ask for another e-mail address',
    description:
      'Sends a link to the present and to the new address, good once, for 24 hours. The address changes when both were confirmed. An earlier request is withdrawn. Refused where the cell sends no e-mail.',
    recentProof: true,
    perMinute: NEW_PER_MINUTE,
    takes: { body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 320 }) }) },
    answers: {
      status: 201,
      body: Type.Object({ data: Type.Object({ email: Text(320), expires_at: Instant }) }),
      description: 'The address that it is to become.',
    },
    errors: ['conflict', 'validation_failed', 'proof_required'],
    async handle(tx, input) {
      const { publicUrl, body } = input
      return jsonText({ data: await askForEmail(tx, seatOf(input), body.email, { ...tools, publicUrl }) })
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/session/email',
    summary: 'Withdraw a change of your e-mail address',
    description: 'The links that were sent are no longer good.',
    takes: {},
    answers: { status: 204, body: Type.Null(), description: 'Done.' },
    errors: ['not_found'],
    async handle(tx, input) {
      await cancelEmailChange(tx, seatOf(input))
      return NO_BODY
    },
  }),
]

const confirming: readonly Route[] = [
  openRoute({
    method: 'POST',
    path: '/sign_in/email_change/inspect',
    tag: SIGNING_IN,
    summary: 'Inspect a link that confirms an e-mail address',
    description: 'What a link is for, without using it.',
    takes: { body: Token },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Object({ from: Text(320), to: Text(320), account: Text(1000) }) }),
      description: 'The change.',
    },
    errors: ['not_found', 'validation_failed'],
    async handle(tools, { body }) {
      const { old_email: from, new_email: to, account_name: account } = await changeOf(tools, body.token)
      return jsonText({ data: { from, to, account } })
    },
  }),
  openRoute({
    method: 'POST',
    path: '/sign_in/email_change',
    tag: SIGNING_IN,
    summary: 'Confirm an e-mail address',
    description:
      'Uses a link, which is good once. When both addresses are confirmed, the seat has the new one; its sessions go on. Refused if another seat of the account has it by then.',
    takes: { body: Token },
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          email: Text(320),
          changed: Type.Boolean({ description: 'If not, the other address has still to confirm it.' }),
        }),
      }),
      description: 'What was confirmed.',
    },
    errors: ['not_found', 'conflict', 'validation_failed'],
    async handle(tools, { body, address }) {
      const { account, seat, new_email, is_new } = await changeOf(tools, body.token)
      const hash = hashToken(body.token)
      const operator = { name: `${is_new ? 'new' : 'present'} address of seat ${seat}`, source: address, seat }
      const { complete } = await tools.db.inAccount(
        account,
        (tx) => confirmEmailChange(tx, seat, hash, address),
        operator,
      )
      return jsonText({ data: { email: new_email, changed: complete } })
    },
  }),
]

export const emailRoutes = (tools: Omit<MailingLinks, 'publicUrl'>): readonly Route[] => [
  ...ofSession(tools),
  ...confirming,
]
