import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { BUILT_IN_ROLES, meets } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import type { Example } from '../harness/example-makers.ts'
import { exampleOf } from '../harness/examples.ts'
import { appRoutes } from '../harness/routes.ts'

const PARAMS: Record<string, string> = { entity: 'customers', key: 'customers', external_id: 'C-1001' }
const pathOf = ({ path }: Route, params: Readonly<Record<string, string>> = {}) =>
  `/app/v1${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? PARAMS[name] ?? 'missing')}`
const guarded = appRoutes.filter(({ open }) => !open).map((route) => [`${route.method} ${route.path}`, route] as const)
/** It ends the session that asks. */
const SIGN_OUT = 'DELETE /session'

/** What the route then does with a key of the role, the matrix of the API tests. */
const isAdmitted = (status: number) => status !== 401 && status !== 403 && status < 500

let cell: TestCell
let agency: Agency
let other: Agency
const sessions = new Map<string, string>()
let stranger: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  other = await makeAgency(cell)
  for (const role of Object.keys(BUILT_IN_ROLES)) sessions.set(role, await sessionOf(role))
  stranger = await signInAs(cell, other.number, other.owner.id)
})

async function sessionOf(role: string): Promise<string> {
  const seat = { name: role, email: `${role}-${Math.random()}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  return signInAs(cell, agency.number, id)
}

describe.each(guarded)('%s with a session', (name, route) => {
  const call = (session: string | null, { params, query = '', ...example }: Example, key: string | null = null) =>
    cell.call(route.method, pathOf(route, params) + (route.method === 'DELETE' ? query : ''), {
      session,
      key,
      ...example,
    })

  it('answers 401 without one, and to a key', async () => {
    const statuses = [await call(null, {}), await call(null, {}, agency.key)].map(({ status }) => status)
    expect(statuses).toEqual([401, 401])
  })
  it('is open to the roles that have its policy alone', async () => {
    for (const [role, policies] of Object.entries(BUILT_IN_ROLES)) {
      const isOpen = meets(policies, route.policy)
      const session = name === SIGN_OUT ? await sessionOf(role) : (sessions.get(role) ?? null)
      const { status } = await call(session, isOpen ? await exampleOf(route, cell, agency) : {})
      expect([role, isAdmitted(status)]).toEqual([role, isOpen])
    }
  })
  it.runIf(/:(external_)?id\b/.test(route.path) && !route.path.startsWith('/reports/'))(
    'answers 404 for a record of another account',
    async () => {
      expect((await call(stranger, await exampleOf(route, cell, agency))).status).toBe(404)
    },
  )
})
