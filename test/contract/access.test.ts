import { beforeAll, describe, expect, it } from 'vitest'
import { readNetwork } from '../../src/platform/access/source-address.ts'
import { makeToken } from '../../src/platform/access/token.ts'
import { countInDatabase } from '../../src/platform/http/rate-limit.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { revokeKeyOf, saveRoleOf, updateAccountOf } from '../harness/settings.ts'
import { undeclared } from '../harness/undeclared.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell()
})
const codeOf = (answer: { status: number; body: never }) => [answer.status, (answer.body as { code?: string }).code]
const me = (key: string | null, headers: Record<string, string> = {}) => cell.call('GET', '/me', { key, headers })
const asOperator = <T>(
  agency: Agency,
  fn: (tx: Parameters<Parameters<TestCell['deps']['db']['asSystem']>[1]>[0], account: number) => Promise<T>,
) => cell.deps.db.asSystem('a test', (tx) => fn(tx, agency.number))
/** More than the key ring caches. */
const aSecondLater = () => cell.clock.add(1_000)

describe('the order of refusals', () => {
  it('a key that is malformed, unknown or missing gets one answer', async () => {
    const bodies = [
      await me(null),
      await me('nonsense'),
      await me(`${makeToken().slice(0, -1)}!`),
      await me(makeToken()),
    ]
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1)
    expect(codeOf(bodies[0] as never)).toEqual([401, 'unauthorized'])
    expect(bodies.every(({ headers }) => headers['x-ratelimit-limit'] === undefined)).toBe(true)
    expect(codeOf(await me(null, { authorization: 'Basic abc' }))).toEqual([401, 'unauthorized'])
  })
  it('revoked comes before expired, expired before the address, the address before the plan, the plan before the rate, the rate before the scope', async () => {
    const agency = await makeAgency(cell, 'growth')
    const soon = new Date(cell.deps.now() + 60_000).toISOString()
    const { id, key } = await agency.makeKey({ scopes: ['import'], expiresAt: soon, allowedCidrs: ['203.0.113.0/24'] })
    const answers: unknown[] = []
    const note = async () => {
      aSecondLater()
      answers.push(codeOf(await me(key)))
    }
    await updateAccountOf(cell, agency.number, { plan: 'starter' })
    await note() // the address is refused first
    const spend = async () => {
      for (let sent = 0; sent < 61; sent++) await me(open.key)
    }
    const open = await agency.makeKey({ scopes: ['import'] })
    aSecondLater()
    answers.push(codeOf(await me(open.key))) // the plan
    await updateAccountOf(cell, agency.number, { plan: 'growth' })
    aSecondLater()
    await spend()
    await spend()
    answers.push(codeOf(await me(open.key))) // the rate
    cell.clock.add(60_000)
    answers.push(codeOf(await me(open.key))) // the scope
    await note() // expired by now
    await revokeKeyOf(cell, agency.number, id)
    await note()
    expect(answers).toEqual([
      [403, 'ip_not_allowed'],
      [403, 'plan_upgrade_required'],
      [429, 'rate_limited'],
      [403, 'forbidden'],
      [401, 'key_expired'],
      [401, 'key_revoked'],
    ])
  })
  it('a revocation, a role and a plan take effect within a second, and leave their rows in the audit log', async () => {
    const agency = await makeAgency(cell)
    const name = 'constructor' // which every object has already
    await saveRoleOf(cell, agency.number, name, ['view_money'])
    const { id, key } = await agency.makeKey({ role: name })
    const policies = async () =>
      ((await me(key)).body as { user: { role: string }; policies: Record<string, boolean> }).policies
    expect(await policies()).toMatchObject({ view_money: true, import_records: false })
    await saveRoleOf(cell, agency.number, name, ['import_records'])
    aSecondLater()
    expect(await policies()).toMatchObject({ view_money: false, import_records: true })
    await updateAccountOf(cell, agency.number, { plan: 'starter' })
    aSecondLater()
    expect(codeOf(await me(key))).toEqual([403, 'plan_upgrade_required'])
    await revokeKeyOf(cell, agency.number, id)
    aSecondLater()
    expect(codeOf(await me(key))).toEqual([401, 'key_revoked'])
    const log = undeclared<{ account: number }, { action: string; details: object }>(
      'select action, details from audit_log where account_id = $account order by id',
    )
    const rows = await cell.deps.db.reader(agency.number).all(log, {})
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'account.created',
        'api_key.created',
        'role.created',
        'role.updated',
        'account.plan_changed',
        'api_key.revoked',
      ]),
    )
    expect(JSON.stringify(rows)).not.toContain(key)
  })
  it('an account without an owner answers 403 forbidden', async () => {
    const agency = await makeAgency(cell)
    const orphan = undeclared<{ account: number }, never>(
      'update accounts set owner_id = null where account_id = $account',
    )
    await asOperator(agency, (tx, account) => tx.all(orphan, { account }))
    expect(codeOf(await me(agency.key))).toEqual([403, 'forbidden'])
  })
  it('uses the socket’s address, unless a trusted proxy states another', async () => {
    const proxied = await startCell({ trustedProxies: [readNetwork('127.0.0.1') as never] })
    const agency = await makeAgency(proxied)
    const { key } = await agency.makeKey({ allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = async (header?: string) =>
      (await proxied.call('GET', '/me', { key, headers: header ? { 'x-forwarded-for': header } : {} })).status
    expect(await from()).toBe(403)
    expect(await from('203.0.113.9')).toBe(200)
    expect(await from('203.0.113.9, 198.51.100.1')).toBe(403) // entries further left may be forged
    expect(await from('198.51.100.1, 2001:db8::7')).toBe(200)
    expect(await from('203.0.113.9 or 1=1')).toBe(403)
    const direct = await makeAgency(cell)
    const bound = await direct.makeKey({ allowedCidrs: ['203.0.113.0/24'] })
    expect(codeOf(await me(bound.key, { 'x-forwarded-for': '203.0.113.9' }))).toEqual([403, 'ip_not_allowed'])
  })
  it('past 60 unknown tokens a minute an address waits a second for its 401, and a valid key does not', async () => {
    const flooded = await startCell()
    const agency = await makeAgency(flooded)
    await Promise.all(Array.from({ length: 60 }, () => flooded.call('GET', '/me', { key: makeToken() })))
    const timed = async (key: string) => {
      const begin = performance.now()
      const { status } = await flooded.call('GET', '/me', { key })
      return { status, slow: performance.now() - begin > 900 }
    }
    const [unknown, valid] = await Promise.all([timed(makeToken()), timed(agency.key)])
    expect([unknown, valid]).toEqual([
      { status: 401, slow: true },
      { status: 200, slow: false },
    ])
    expect(await timed('nonsense')).toEqual({ status: 401, slow: false })
  })
})

describe('the rate limit', () => {
  it.each(['memory', 'database'])(
    'counts in %s: 120 a minute, 30 for imports, headers on every answer, and a new minute a new budget',
    async (store) => {
      const counted = await startCell()
      const limited =
        store === 'memory' ? counted : await startCell({ deps: { count: countInDatabase(counted.deps.db, () => {}) } })
      const agency = await makeAgency(limited, 'growth')
      if (store === 'memory') limited.clock.set(Math.ceil(Date.now() / 60_000) * 60_000 + 5_000)
      else await untilMinuteIsYoung()
      const reset = String((Math.floor(limited.deps.now() / 60_000) + 1) * 60)
      const headersOf = ({ headers }: { headers: Record<string, string> }) => [
        headers['x-ratelimit-limit'],
        headers['x-ratelimit-remaining'],
        headers['x-ratelimit-reset'],
      ]
      expect(headersOf(await limited.call('GET', '/me', { key: agency.key }))).toEqual(['120', '119', reset])
      for (let sent = 1; sent <= 30; sent++) {
        const answer = await limited.call('POST', '/imports/customers', { key: agency.key, body: {} })
        expect(headersOf(answer)).toEqual(['30', String(30 - sent), reset])
      }
      const refused = await limited.call('POST', '/imports/suppliers/validate', { key: agency.key, body: {} })
      expect([refused.status, (refused.body as { code: string }).code, ...headersOf(refused)]).toEqual([
        429,
        'rate_limited',
        '30',
        '0',
        reset,
      ])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await limited.call('GET', '/me', { key: agency.key })).status).toBe(200) // reads have their own budget
      for (let sent = 33; sent < 120; sent++) await limited.call('GET', '/workspace', { key: agency.key })
      expect((await limited.call('GET', '/me', { key: agency.key })).status).toBe(429)
      if (store === 'memory') {
        limited.clock.add(60_000)
        expect(headersOf(await limited.call('GET', '/me', { key: agency.key }))[1]).toBe('119')
      }
    },
  )
  it('several processes share the count in the database, and it is exact', async () => {
    const count = countInDatabase(cell.deps.db, () => {})
    await untilMinuteIsYoung()
    const counts = await Promise.all(
      Array.from(
        { length: 200 },
        async () => (await count(20_999_999, [{ name: 'account', limit: 100 }]))?.requests[0],
      ),
    )
    expect(counts.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 200 }, (_, at) => at + 1))
  })
  it('allows requests while the counter is unavailable, and counts them', async () => {
    let logged = 0
    const gone = { askSystem: () => Promise.reject(new Error('away')) } as never
    const open = await startCell({ deps: { count: countInDatabase(gone, () => logged++) } })
    const agency = await makeAgency(open)
    expect((await open.call('GET', '/me', { key: agency.key })).status).toBe(200)
    expect(logged).toBe(1)
  })
})

/** The database uses its own clock for the minute; a test that counts in one minute must not cross its end. */
async function untilMinuteIsYoung(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 50))
}
