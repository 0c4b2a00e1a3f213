import { beforeAll, describe, expect, it } from 'vitest'
import { shownFields } from '../../src/catalogue/columns.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { PLANS, type PlanSlug } from '../../src/platform/access/plans.ts'
import { alternativesOf, BUILT_IN_ROLES, meets, POLICIES, type Policy } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { importables } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { EXAMPLE_HINT, type Example } from '../harness/example-makers.ts'
import { exampleOf } from '../harness/examples.ts'
import { routes } from '../harness/routes.ts'
import { saveRoleOf } from '../harness/settings.ts'

/** Examples of imports; other routes have their own. */
const PARAMS: Record<string, string> = { entity: 'customers', key: 'customers', external_id: 'C-1001', id: 'a batch' }
/** The one whose parameter is named for its neighbour. */
const isBatch = ({ method, path }: Route) => method === 'GET' && path === '/imports/:entity'
/** Those whose id is a report's, which every account has. */
const isPreset = ({ path }: Route) => path.startsWith('/reports/')
const pathOf = (route: Route, params: Readonly<Record<string, string>> = PARAMS) =>
  (isBatch(route) ? '/imports/:id' : route.path).replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'missing')
/** Hidden attributes are refused in writes, which is not tested here. */
const SIGHTS = ['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'] as const
const SCOPES = ['full', 'import', 'ticket_import'] as const
/** The role that has every policy but these. */
const withoutAll = (policies: readonly Policy[]) => `without_${policies.join('_')}`
const names = routes.map((route) => [`${route.method} ${route.path}`, route] as const)

describe('every route', () => {
  let cell: TestCell
  let agency: Agency
  let other: Agency
  /** Further roles, one of them without policies. */
  let reader: Agency
  let writer: Agency
  const keys = new Map<PlanSlug, string>()
  const byScope = new Map<string, string>()
  const byRole = new Map<string, string>()
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    for (const plan of Object.keys(PLANS) as PlanSlug[]) keys.set(plan, (await makeAgency(cell, plan)).key)
    agency = await makeAgency(cell)
    for (const scope of SCOPES) byScope.set(scope, (await agency.makeKey({ scopes: [scope] })).key)
    for (const role of Object.keys(BUILT_IN_ROLES)) byRole.set(role, (await agency.makeKey({ role })).key)
    const demands = [...new Set(routes.map(({ policy }) => alternativesOf(policy)))].filter(({ length }) => length > 0)
    const roles = new Map<string, readonly Policy[]>([
      ...POLICIES.map((policy) => [policy, [policy, ...SIGHTS]] as const),
      ...demands.map((any) => [withoutAll(any), POLICIES.filter((policy) => !any.includes(policy))] as const),
    ])
    for (const [role, policies] of roles) await saveRoleOf(cell, agency.number, role, policies)
    for (const role of roles.keys()) byRole.set(role, (await agency.makeKey({ role })).key)
    other = await makeAgency(cell)
    reader = await makeAgency(cell)
    writer = await makeAgency(cell)
    for (const { entity } of importables) await importRows(cell, agency.key, entity.key, [...entity.sample.rows])
    const batch = await importRows(cell, agency.key, 'customers', [{ external_id: 'taken back', name: 'Nobody' }])
    PARAMS.id = batch.id as string
  })

  describe.each(names)('%s', (_, route) => {
    /** Everyone calls it until one is admitted, and it may be used up. */
    let example: Example | null = null
    const send = async (key: string | null) => {
      example ??= await exampleOf(route, cell, agency)
      const { params, ...call } = example
      const answer = await cell.call(route.method, pathOf(route, params), { key, ...call })
      if (route.method !== 'GET' && answer.status < 400) example = null
      return answer
    }
    it('answers 401 without a key, and no rate headers', async () => {
      const answer = await send(null)
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([401, 'unauthorized'])
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    })
    it('is reached by its scopes alone', async () => {
      for (const scope of SCOPES) {
        const answer = await send(byScope.get(scope) ?? null)
        expect([scope, answer.status], EXAMPLE_HINT).toEqual([
          scope,
          route.scope?.includes(scope) ? route.answers.status : 403,
        ])
        if (answer.status === 403) expect((answer.body as { code: string }).code).toBe('forbidden')
      }
    })
    it('is open to the roles that have its policy alone', async () => {
      for (const [role, policies] of Object.entries(BUILT_IN_ROLES)) {
        const answer = await send(byRole.get(role) ?? null)
        const isOpen = meets(policies, route.policy)
        expect([role, answer.status], EXAMPLE_HINT).toEqual([role, isOpen ? route.answers.status : 403])
      }
    })
    it('asks for its policy, or for any one of several, and for no other', async () => {
      const enough = alternativesOf(route.policy)
      for (const role of enough.length > 0 ? [...enough, withoutAll(enough)] : []) {
        const answer = await send(byRole.get(role) ?? null)
        expect([role, answer.status], EXAMPLE_HINT).toEqual([
          role,
          role === withoutAll(enough) ? 403 : route.answers.status,
        ])
      }
    })
    it('is open to the plans that include it alone', async () => {
      for (const [plan, key] of keys) {
        const { features } = PLANS[plan]
        const included = features.has('api_access') && (!route.feature || features.has(route.feature))
        const answer = await cell.call(route.method, pathOf(route), { key })
        const code = (answer.body as { code?: string } | undefined)?.code
        const refused = code === 'plan_upgrade_required' || code === 'plan_gated'
        expect([plan, refused]).toEqual([plan, !included])
      }
    })
    it('shows nothing of another account', async () => {
      const answer = await send((route.method === 'GET' ? reader : writer).key)
      const secrets = [
        agency.account.uuid,
        agency.company.id,
        agency.branch.id,
        agency.owner.id,
        agency.advisor,
        String(agency.number),
      ]
      for (const secret of secrets) expect(answer.text).not.toContain(secret)
      const isRecord = /:(external_)?id\b/.test(route.path) && !isPreset(route)
      if (isRecord || isBatch(route)) expect(answer.status).toBe(404)
      if (route.path.endsWith('/records')) expect((answer.body as { data: unknown[] }).data).toEqual([])
    })
    it('answers other methods with 405 and Allow', async () => {
      const own = routes.filter(({ path }) => path === route.path).map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !own.includes(method))) {
        const answer = await cell.call(method, pathOf(route), { key: agency.key })
        const { code } = answer.body as { code: string }
        expect([method, answer.status, code]).toEqual([method, 405, 'method_not_allowed'])
        expect(answer.headers.allow?.split(', ').filter((allowed) => allowed !== 'HEAD')).toEqual(own)
      }
    })
  })

  it('refuses ids of another account in every body and query', async () => {
    const row = { external_id: 'X', name: 'X' }
    const post = (more: object) => cell.call('POST', '/imports/customers', { key: agency.key, body: { row, ...more } })
    const code = async (answer: Promise<{ body: never; status: number }>) => [
      (await answer).status,
      ((await answer).body as { code: string }).code,
    ]
    expect(await code(post({ company_id: other.company.id }))).toEqual([422, 'unknown_company'])
    expect(await code(post({ branch_id: other.branch.id }))).toEqual([422, 'unknown_branch'])
    const feed = (query: string) => cell.call('GET', `/imports/customers/records?${query}`, { key: agency.key })
    expect(await code(feed(`company_id=${other.company.id}`))).toEqual([422, 'unknown_company'])
    expect(await code(feed(`branch_id=${other.branch.id}`))).toEqual([422, 'unknown_branch'])
  })

  it('finds the records of its own account where both have the same external ids', async () => {
    await importRows(cell, other.key, 'customers', [{ external_id: 'C-1001', name: 'Someone Else' }])
    const read = async (key: string) => (await cell.call('GET', '/imports/customers/records/C-1001', { key })).text
    expect(await read(agency.key)).toContain('Ayşe Yılmaz')
    expect(await read(other.key)).toContain('Someone Else')
    const [stay] = (
      await importRows(cell, other.key, 'hotel_stays', [
        ...(importables.find(({ entity }) => entity.key === 'hotel_stays')?.entity.sample.rows ?? []),
      ])
    ).rows
    expect(stay?.warnings.map(({ code }) => code)).toContain('reference_not_found') // the supplier belongs to the first account
  })
})

/** The values of a row that a record shows as null, by path; absent values are left out. */
const hiddenOf = (fields: Fields, row: Record<string, unknown>, record: Record<string, unknown>): string[] =>
  given(fields, row).flatMap(([name, field]) => {
    if (record[name] === null) return [name]
    const [item] = Array.isArray(row[name]) ? (row[name] as Record<string, unknown>[]) : []
    const [shown] = Array.isArray(record[name]) ? (record[name] as Record<string, unknown>[]) : []
    return field.items && item && shown ? hiddenOf(field.items, item, shown).map((path) => `${name}[].${path}`) : []
  })
/** What the decision record hides from a role. */
const maskedOf = (fields: Fields, row: Record<string, unknown>, policies: ReadonlySet<string>): string[] =>
  given(fields, row).flatMap(([name, field]) => {
    const money = !field.sees || (policies.has('view_money') && (field.sees === 'money' || policies.has('view_costs')))
    if (!money || (field.pii && !policies.has('view_personal_data'))) return [name]
    const [item] = Array.isArray(row[name]) ? (row[name] as Record<string, unknown>[]) : []
    return field.items && item ? maskedOf(field.items, item, policies).map((path) => `${name}[].${path}`) : []
  })
const given = (fields: Fields, row: Record<string, unknown>) =>
  Object.entries(fields).filter(([name, { reference }]) => name in row && !reference)

describe('masking', () => {
  const MONEY = ['totals.sell', 'totals.vat', 'sell_lines', 'rooms[0].nightly_rate']
  const COSTS = ['totals.cost', 'totals.margin', 'cost_lines', 'margin_value']
  const PERSONAL = ['customer.name', 'travelers']
  const at = (record: unknown, path: string) =>
    path
      .split(/[.[\]]+/)
      .filter(Boolean)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], record)

  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    for (const { entity } of importables) {
      const more = entity.key === 'hotel_stays' && { margin_value: '5' }
      await importRows(
        cell,
        agency.key,
        entity.key,
        entity.sample.rows.map((row) => ({ ...row, ...more })),
      )
    }
  })

  it.each(Object.entries(BUILT_IN_ROLES))(
    '%s reads null for what it may not see, and the key is always there',
    async (role, policies) => {
      const { key } = await agency.makeKey({ role })
      const stay = ((await cell.call('GET', '/imports/hotel_stays/records/H-9001', { key })).body as { data: object })
        .data
      const seen = (paths: string[]) => paths.map((path) => at(stay, path) !== null)
      const all = (shown: boolean, paths: string[]) => paths.map(() => shown)
      expect(seen(MONEY)).toEqual(all(policies.has('view_money'), MONEY))
      expect(seen(COSTS)).toEqual(all(policies.has('view_money') && policies.has('view_costs'), COSTS))
      expect(seen(PERSONAL)).toEqual(all(policies.has('view_personal_data'), PERSONAL))
      for (const { entity } of importables) {
        const [row = {}] = entity.sample.rows as readonly Record<string, unknown>[]
        const path = `/imports/${entity.key}/records/${encodeURIComponent(String(row.external_id))}`
        const { data } = (await cell.call('GET', path, { key })).body as { data: Record<string, unknown> }
        expect(hiddenOf(shownFields(entity), row, data)).toEqual(maskedOf(shownFields(entity), row, policies))
      }
    },
  )
  it('a role that sees no costs sees none in the lines that were derived from them', async () => {
    const row = {
      external_id: 'N',
      check_in_on: '2026-01-01',
      check_out_on: '2026-01-02',
      rate_basis: 'net',
      margin_mode: 'amount',
      margin_value: '50',
    }
    const cost_lines = [{ kind: 'room_rate', amount: '100' }]
    await importRows(cell, agency.key, 'hotel_stays', [{ ...row, cost_lines }])
    const { key } = await agency.makeKey({ role: 'advisor' })
    const { data } = (await cell.call('GET', '/imports/hotel_stays/records/N', { key })).body as {
      data: { sell_lines: object[]; totals: object }
    }
    expect([data.sell_lines, data.totals]).toEqual([[], { sell: '150.00', cost: null, margin: null, vat: '0.00' }])
  })
})
