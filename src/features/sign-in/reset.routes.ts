import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { networkOf } from '../../platform/access/source-address.ts'
import { openRoute, type Route } from '../../platform/http/route.ts'
import { NO_BODY } from '../../platform/json-text.ts'
import { signInAttempts } from './attempts.ts'
import { mailReset } from './commands/mail-reset.ts'
import { findSeatsByEmail } from './credentials.store.ts'
import { knownDevices } from './known-device.ts'

/** Answers take a whole number of seconds, so their time tells nothing about whether an address is known. */
const ANSWER_STEP_MS = 1_000

export const resetRoutes: readonly Route[] = [
  openRoute({
    method: 'POST',
    path: '/sign_in/reset',
    tag: { name: 'Signing in', description: 'How a person begins a session of the console.' },
    summary: 'Ask for a new password',
    description:
      'Sends a link to choose a new password to each seat that has this e-mail address, good once, within an hour. The answer is the same whether or not the address is known; after several, the next has to wait.',
    takes: {
      body: Type.Object({
        email: Type.String({ minLength: 3, maxLength: 320, description: 'E-mail address of the seat.' }),
      }),
    },
    answers: { status: 204, body: Type.Null(), description: 'A mail was sent, if the address is known.' },
    errors: ['rate_limited', 'validation_failed'],
    async handle({ db, attempts, mailTexts }, { body, address, publicUrl, headers, now }) {
      const began = performance.now()
      const email = body.email.trim()
      const seats = await db.askSystem('find who asks for a new password', findSeatsByEmail, { email })
      const network = networkOf(address)
      const isKnownNetwork = seats.some(({ networks }) => networks.some((known) => networkOf(known) === network))
      const device = knownDevices(publicUrl, attempts, now).find(headers.cookie, email)
      await signInAttempts(db, attempts).begin({ email: `reset ${email}`, address, isKnownNetwork, device })
      const operator = { name: 'somebody who asked for a new password', source: address }
      for (const { account, seat } of seats)
        await db.inAccount(account, (tx) => mailReset(tx, seat, { publicUrl, mailTexts }), operator)
      await sleep(ANSWER_STEP_MS - ((performance.now() - began) % ANSWER_STEP_MS))
      return NO_BODY
    },
  }),
]
