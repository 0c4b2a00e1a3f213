import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { POLICIES } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import type { Example } from '../harness/example-makers.ts'
import { exampleOf } from '../harness/examples.ts'
import { appRoutes } from '../harness/routes.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

type Change = (nth: number) => object
const named: Change = (nth) => ({ name: `Name ${nth}` })
let nextDays = 1_000
/** Different changes of a record that people edit, by the path of its update. */
const CHANGES: Readonly<Record<string, Change>> = {
  '/customers/:id': (nth) => ({ customer: named(nth) }),
  '/customers/:id/notes/:note_id': (nth) => ({ note: { body: `Note ${nth}` } }),
  '/leads/:id': (nth) => ({ lead: named(nth) }),
  '/tasks/:id': (nth) => ({ task: { subject: `Task ${nth}` } }),
  '/saved_reports/:id': (nth) => ({ saved_report: named(nth) }),
  '/webhooks/:id': (nth) => ({ entities: [['hotel_stays'], ['cruises'], ['transfers']][nth] }),
  '/bookings/:id': (nth) => ({ booking: { notes: `Note ${nth}` } }),
  '/session/passkeys/:id': named,
  '/people/:id': named,
  '/roles/:name': (nth) => ({ policies: [['view_trips'], ['view_money'], ['view_costs']][nth] }),
  '/api_keys/:id': named,
  '/sign_in_providers/:id': named,
  '/templates/:kind/:locale': (nth) => ({ subject: `Subject ${nth}`, body: `Bye ${Math.random()}` }),
  '/companies/:id': named,
  '/branches/:id': named,
  // One record for all tests, which an earlier one may have left as this change would.
  '/agency': () => ({ name: `Seyahat ${Math.random()}` }),
  '/retention_rules': () => ({ leads_days: nextDays++ }),
  '/trips/:id': (nth) => ({ trip: { title: `Trip ${nth}` } }),
  '/trips/:id/itinerary/days/:day_id': (nth) => ({ day: { title: `Day ${nth}` } }),
  '/trips/:id/itinerary/segments/:segment_id': (nth) => ({ segment: { title: `Segment ${nth}` } }),
  '/trips/:id/travelers/:traveler_id': (nth) => ({ traveler: named(nth) }),
}
const edited = Object.keys(CHANGES).toSorted((a, b) => b.length - a.length)
/** Where it is read, if not at its own path. */
const READ_AT: Readonly<Record<string, string>> = { '/saved_reports/:id': '/saved_reports/:id/definition' }

const byHeader = ({ versioned }: Route) => typeof versioned === 'object'
const takesVersion = ({ takes }: Route) => 'version' in ((takes.body as { properties?: object })?.properties ?? {})
const recordOf = ({ path }: Route) => edited.find((record) => path === record || path.startsWith(`${record}/`)) ?? path
const routes = appRoutes.filter((route) => byHeader(route) || takesVersion(route))
const cases = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const updates = cases.filter(([name, { path }]) => name.startsWith('PATCH') && path in CHANGES)
const headed = updates.filter(([, route]) => byHeader(route))

let cell: TestCell
let agency: Agency
let [one, two, masked, stranger] = ['', '', '', '']
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  await saveRoleOf(
    cell,
    agency.number,
    'sees_nobody',
    POLICIES.filter((policy) => policy !== 'view_personal_data'),
  )
  // Two browsers of one person, since some records are a person's own.
  one = await signInAs(cell, agency.number, agency.owner.id)
  two = await signInAs(cell, agency.number, agency.owner.id)
  masked = await sessionOf('sees_nobody')
  const other = await makeAgency(cell)
  stranger = await signInAs(cell, other.number, other.owner.id)
})
async function sessionOf(role: string): Promise<string> {
  const seat = { name: role, email: `second-${role}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  return signInAs(cell, agency.number, id)
}

type Params = Example['params']
const address = (path: string, params: Params = {}) =>
  `/app/v1${path.replace(/:(\w+)/g, (_, name) => params[name] ?? '')}`
const dataOf = ({ body }: Answer) => (body as { data: { version?: number } }).data
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code]

/** A record that one route changes, and its version as it was read. */
async function recordFor(route: Route) {
  const { params, body } = await exampleOf(route, cell, agency)
  const record = recordOf(route)
  const read = (session: string) => cell.call('GET', address(READ_AT[record] ?? record, params), { session })
  const isOfHeader = byHeader(route)
  const versionIn = (answer: Answer) => (isOfHeader ? answer.headers.etag : dataOf(answer).version)
  const write = (method: string, path: string, version: unknown, change: object | undefined, session: string) =>
    cell.call(method, address(path, params), {
      session,
      ...(isOfHeader ? { headers: { 'if-match': String(version) } } : {}),
      ...(change && { body: isOfHeader ? change : { ...change, version } }),
    })
  return {
    version: isOfHeader ? versionIn(await read(one)) : (body as { version: number }).version,
    read,
    versionIn,
    /** As the first editor does. */
    change: (nth: number, version: unknown, session = one) =>
      write('PATCH', record, version, CHANGES[record]?.(nth), session),
    /** By the route itself. */
    save: (version: unknown, session = two) =>
      write(
        route.method,
        route.path,
        version,
        route.path === record ? CHANGES[record]?.(2) : (body as object),
        session,
      ),
  }
}

it('tests every route that changes what people edit', () => {
  const untested = routes.filter((route) => !(recordOf(route) in CHANGES)).map(({ path }) => path)
  expect(untested, 'Add a change to CHANGES').toEqual([])
  const unversioned = ['customers', 'leads', 'tasks', 'saved_reports', 'webhooks'].flatMap((name) =>
    appRoutes.filter(
      (route) => /PATCH|PUT/.test(route.method) && route.path.startsWith(`/${name}/`) && !byHeader(route),
    ),
  )
  expect(unversioned).toEqual([])
})

describe.each(cases)('%s', (_, route) => {
  it('refuses the second of two editors with the record as the first left it, and then takes its version', async () => {
    const { version, change, save, versionIn } = await recordFor(route)
    const first = await change(1, version)
    expect([first.status, first.text]).toEqual([200, expect.any(String)])
    expect(versionIn(first)).not.toBe(version)
    const second = await save(version)
    expect([...codeOf(second), dataOf(second)]).toEqual([409, 'stale', dataOf(first)])
    expect(versionIn(second)).toBe(versionIn(first))
    const again = await save(versionIn(second))
    expect([again.status < 300, again.text]).toEqual([true, again.text])
  })
  it('refuses a version that the record does not have yet', async () => {
    const { version, save } = await recordFor(route)
    const later = typeof version === 'number' ? version + 1 : '"2147483647"'
    expect(codeOf(await save(later))).toEqual([409, 'stale'])
  })
})

describe.each(updates)('%s', (_, route) => {
  it('lets one of several concurrent changes of a version win', async () => {
    const { version, change } = await recordFor(route)
    const answers = await Promise.all([0, 1, 2].map((nth) => change(nth, version, nth === 0 ? one : two)))
    expect(answers.map(codeOf).toSorted()).toEqual([
      [200, undefined],
      [409, 'stale'],
      [409, 'stale'],
    ])
  })
})

describe.each(headed)('%s', (_, route) => {
  it('shows a role in a refusal what it reads', async () => {
    const { version, change, save, read } = await recordFor(route)
    await change(1, version)
    const [refused, seen] = [await save(version, masked), await read(masked)]
    expect([...codeOf(refused), dataOf(refused)]).toEqual([409, 'stale', dataOf(seen)])
    if (/^.(customers|leads).:id$/.test(route.path)) expect(dataOf(refused)).toMatchObject({ name: null })
  })
  it('answers 404 for a record of another account, whichever version is sent', async () => {
    const { version, save, read } = await recordFor(route)
    for (const sent of [version, '"0"', '*']) expect(codeOf(await save(sent, stranger))).toEqual([404, 'not_found'])
    expect((await read(stranger)).headers.etag).toBeUndefined()
  })
  it('keeps the version while nothing changes', async () => {
    const { version, change, versionIn } = await recordFor(route)
    const first = versionIn(await change(1, version))
    expect(first).not.toBe(version)
    expect(versionIn(await change(1, first))).toBe(first)
  })
  it('changes any version without If-Match, and for a key', async () => {
    const { body, params } = await exampleOf(route, cell, agency)
    const path = address(route.path, params)
    expect((await cell.call('PATCH', path, { session: one, body })).headers.etag).toMatch(/^"\d+"$/)
    const asked = { key: agency.key, body, headers: { 'if-match': 'no tag' } }
    const answer = await cell.call('PATCH', path.replace('/app/v1', ''), asked)
    expect([answer.status, answer.headers.etag]).toEqual([200, undefined])
  })
})

describe('If-Match', () => {
  const update = updates.find(([, { path }]) => path === '/tasks/:id')?.[1] as Route
  it.each(['1', '"1', '', ' ', '"1" "2"', '"1",', 'W/1', '"1"x', '*, "1"'])('is refused as %j', async (sent) => {
    const { save } = await recordFor(update)
    const answer = await save(sent)
    expect([...codeOf(answer), answer.text]).toEqual([400, 'bad_request', expect.stringContaining('such as')])
  })
  it.each(['*', ' * ', '"1"', 'W/"1"', '"x", "1"', '"x" ,W/"1"'])(
    'is the version that was read as %j',
    async (sent) => {
      expect((await (await recordFor(update)).save(sent)).status).toBe(200)
    },
  )
  it.each(['"x"', '"2"', '"11"', '"x","2"', '""'])('is another version as %j', async (sent) => {
    expect(codeOf(await (await recordFor(update)).save(sent))).toEqual([409, 'stale'])
  })
  it('is part of what an Idempotency-Key is for, and a replay has the ETag of the first answer', async () => {
    const { params } = await exampleOf(update, cell, agency)
    const send = (etag: string) =>
      cell.call('PATCH', address(update.path, params), {
        session: one,
        body: { task: { subject: 'Call' } },
        headers: { 'if-match': etag, 'idempotency-key': String(params?.id) },
      })
    const [first, replay] = [await send('"1"'), await send('"1"')]
    expect([first, replay].map(({ status, headers }) => [status, headers.etag, headers['idempotent-replay']])).toEqual([
      [200, '"2"', undefined],
      [200, '"2"', 'true'],
    ])
    expect(codeOf(await send('"2"'))).toEqual([422, 'idempotency_key_reuse'])
  })
})

it.each([
  ['/saved_reports/:id', `update saved_reports set last_run_at = now() where id = $1`],
  ['/webhooks/:id', 'update webhooks set failing_since = now(), failed = 1 where id = $1'],
])('work in the background does not count as a change of %s', async (path, sql) => {
  const [, route] = updates.find(([, one]) => one.path === path) as (typeof updates)[number]
  const { params } = await exampleOf(route, cell, agency)
  const read = () => cell.call('GET', address(READ_AT[path] ?? path, params), { session: one })
  const before = await read()
  await ask(cell, sql, [params?.id])
  expect([(await read()).headers.etag, before.status]).toEqual([before.headers.etag, 200])
})
