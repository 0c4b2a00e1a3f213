import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { exampleOf } from '../harness/examples.ts'
import { appRoutes } from '../harness/routes.ts'

/** Their examples change nothing: a part that is alone stays where it is, no bank account replaces none, and no rule is set. */
const UNCHANGED = /\/(?:move|bank_accounts|sign_in_rules)$/
/** Routes that change what was read, by the version that was read. */
const edits = appRoutes
  .filter(({ takes }) =>
    Object.hasOwn((takes.body as { properties?: object } | undefined)?.properties ?? {}, 'version'),
  )
  .map((route) => [`${route.method} ${route.path}`, route] as const)

let cell: TestCell
let agency: Agency
let sessions: string[]
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  const { number, owner } = agency
  sessions = [await signInAs(cell, number, owner.id), await signInAs(cell, number, owner.id)]
})

it('the routes that two editors can meet at are some', () => {
  expect(edits.map(([name]) => name)).toContain('PATCH /people/:id')
})

const callOf = async (route: Route) => {
  const { params = {}, ...call } = await exampleOf(route, cell, agency)
  const path = `/app/v1${route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'missing')}`
  return { path, call, read: (call.body as { version: number }).version }
}

describe.each(edits)('%s', (_, route) => {
  it('is refused with a version that the record does not have, and answers the record', async () => {
    const { path, call, read } = await callOf(route)
    const body = { ...(call.body as object), version: read + 1 }
    const answer = await cell.call(route.method, path, { session: sessions[0] ?? '', ...call, body })
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'stale', data: { version: read } }])
  })
  it.skipIf(UNCHANGED.test(route.path))(
    'takes one of two changes of the same version, and shows the other editor the record as it is now',
    async () => {
      const { path, call, read } = await callOf(route)
      const answers = await Promise.all(sessions.map((session) => cell.call(route.method, path, { session, ...call })))
      const bodies = answers.map(({ body }) => body as { code?: string; error?: string; data?: { version?: number } })
      const stale = answers.findIndex(({ status }) => status === 409)
      expect(answers.map(({ status, text }) => (status < 300 ? 'taken' : `${status} ${text.slice(0, 60)}`))).toContain(
        'taken',
      )
      expect(bodies[stale]).toMatchObject({ code: 'stale', data: { version: expect.any(Number) } })
      expect(bodies[stale]?.data?.version).not.toBe(read)
      expect(bodies[1 - stale]?.code).toBeUndefined()
      // With the version that the refusal shows, the second editor gets through.
      const again = { ...(call.body as object), version: bodies[stale]?.data?.version }
      const { status } = await cell.call(route.method, path, { session: sessions[stale] ?? '', ...call, body: again })
      expect(status).toBeLessThan(300)
    },
  )
})
