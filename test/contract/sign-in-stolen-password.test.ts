import { expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { setPassword } from '../../src/features/sign-in/commands/set-password.ts'
import { hashSeatPassword } from '../../src/features/sign-in/password-hash.ts'
import { withClient } from '../../src/platform/db/client.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { statement } from '../../src/platform/db/statement.ts'
import { fingerprint } from '../../src/platform/http/idempotency.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Answer, startCell, uncounted } from '../harness/cell.ts'
import { cookieOf } from '../harness/console.ts'

const PASSWORD = 'seven grey herons at dusk'
const NEXT = 'nine lanterns over Moda'

const findFingerprint = statement(
  { account: pg.integer },
  { fingerprint: pg.bytes },
  `select fingerprint from idempotency_keys where account_id = $account and key = 'change'`,
)

async function startSignIn() {
  const cell = await startCell({ deps: { count: uncounted } })
  const agency = await makeAgency(cell)
  const linkFor = (purpose: 'sign_in' | 'reset') =>
    cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, agency.owner.id, purpose), OPERATOR)
  const use = (token: string, password?: string) =>
    cell.call('POST', '/app/v1/sign_in/link', { body: { token, ...(password && { password }) } })
  const session = cookieOf(await use((await linkFor('reset')).token, PASSWORD))
  /** Changes the password, and lets somebody try something while the change is not yet committed. */
  async function changeDuring(attempt: () => Promise<Answer>): Promise<Answer> {
    const hash = await hashSeatPassword(NEXT)
    return withClient(cell.connection, async (client) => {
      const { attempted } = await cell.deps.db.inAccount(
        agency.number,
        async (tx) => {
          setPassword(tx, agency.owner.id, hash, null)
          await tx.now
          const attempted = attempt()
          let answered = false
          void attempted.then(() => {
            answered = true
          })
          while (!answered && (await client.query('select from pg_locks where not granted')).rowCount === 0);
          return { attempted }
        },
        OPERATOR,
      )
      return attempted
    })
  }
  return { cell, agency, linkFor, use, session, changeDuring }
}

it('who signs in with the old password while it is changed has no session after it', async () => {
  const { cell, changeDuring } = await startSignIn()
  const body = { email: 'owner@agency.example', password: PASSWORD }
  const attempted = await changeDuring(() => cell.call('POST', '/app/v1/sign_in/password', { body }))
  expect([attempted.status, attempted.headers['set-cookie']]).toEqual([401, undefined])
})

it('who uses a withdrawn link while the password is changed has no session after it', async () => {
  const { linkFor, use, changeDuring } = await startSignIn()
  const { token } = await linkFor('sign_in')
  const attempted = await changeDuring(() => use(token))
  expect([attempted.status, attempted.headers['set-cookie']]).toEqual([404, undefined])
})

it('who changes the old password while its person does is refused', async () => {
  const { cell, session, changeDuring } = await startSignIn()
  const body = { current_password: PASSWORD, password: 'the choice of a thief' }
  const attempted = await changeDuring(() => cell.call('PUT', '/app/v1/session/password', { session, body }))
  expect(attempted.status).toBe(422)
  const signIn = (password: string) =>
    cell.call('POST', '/app/v1/sign_in/password', { body: { email: 'owner@agency.example', password } })
  expect([(await signIn(NEXT)).status, (await signIn(body.password)).status]).toEqual([200, 401])
})

it('a link used by two at once signs one of them in', async () => {
  const { linkFor, use } = await startSignIn()
  const { token } = await linkFor('sign_in')
  const statuses = (await Promise.all([use(token), use(token), use(token)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 404, 404])
})

it('who reads the database can guess no password by what is stored for replays', async () => {
  const { cell, agency, session } = await startSignIn()
  const body = { current_password: PASSWORD, password: NEXT }
  const principal = await cell.deps.sessions.resolve(session.replace(/^\d+\./, ''))
  const headers = { 'idempotency-key': 'change' }
  expect((await cell.call('PUT', '/app/v1/session/password', { session, body, headers })).status).toBe(204)
  const plain = fingerprint(
    principal?.actor.policies as never,
    'PUT',
    '/app/v1/session/password',
    body,
    agency.owner.id,
  )
  const rows = await cell.deps.db.inAccount(agency.number, (tx) => tx.all(findFingerprint, {}), OPERATOR)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.fingerprint.equals(plain)).toBe(false)
})
