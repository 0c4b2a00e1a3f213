import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Log } from '../../src/platform/log.ts'
import { openLog } from '../../src/platform/open-log.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { exampleOf } from '../harness/examples.ts'
import { leaksOf } from '../harness/log-leaks.ts'
import { routes } from '../harness/routes.ts'
import { askPastWalls } from '../harness/sql.ts'

const SURNAME = 'Yıldırımoğlu'
const EMAIL = 'zeynep.yildirimoglu@private.example'
const PASSPORT = 'U98765432'
const PASSWORD = 'hunter2hunter2'

type Line = { msg: string; level: number; [field: string]: unknown }

let lines: string[]
let log: Log
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  lines = []
  log = openLog('trace', { write: (line) => void lines.push(line) })
  cell = await startCell({ logRequests: true, deps: { count: uncounted, log } })
  agency = await makeAgency(cell)
})
const read = (): Line[] => lines.map((line) => JSON.parse(line))
/** What one thing that is logged becomes. */
const logged = (fields: object): string => {
  const before = lines.length
  log.error(fields, 'a test')
  return lines[before] ?? ''
}

describe('the log', () => {
  it('has a line for each request, by its id and route, after every route was called, rightly and wrongly', async () => {
    const ids = new Set<string>()
    for (const route of routes) {
      const { params = {}, ...call } = await exampleOf(route, cell, agency)
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'customers')
      for (const query of ['', `?q=${EMAIL}&cursor=${SURNAME}`]) {
        const id = crypto.randomUUID()
        ids.add(id)
        const headers = { ...call.headers, 'x-request-id': id }
        const answer = await cell.call(route.method, path + query, { ...call, key: agency.key, headers })
        expect(answer.headers['x-request-id']).toBe(id)
      }
    }
    const requestLines = read().filter(({ msg }) => msg === 'answered')
    expect(ids.difference(new Set(requestLines.map(({ request }) => request)))).toEqual(new Set())
    const templates = new Set(routes.map(({ path }) => `/api/v1${path}`))
    expect(requestLines.filter(({ route }) => !templates.has(String(route)))).toEqual([])
  })
  it('has the account and the key of each request, including refused ones and unknown routes', async () => {
    const key = await cell.deps.keys.resolve(agency.key)
    for (const [path, status] of [
      ['/me', 200],
      ['/customers?limit=0', 422],
      ['/customers/x', 404],
      ['/nowhere', 404],
      ['/health', 200],
    ] as const) {
      const headers = { 'x-request-id': crypto.randomUUID() }
      expect((await cell.call('GET', path, { key: agency.key, headers })).status).toBe(status)
      const line = read().find(({ request }) => request === headers['x-request-id'])
      expect([path, line?.account, line?.key]).toEqual([path, agency.number, key?.id])
    }
    const own = { ...cell.deps, count: () => ({ minute: 1, requests: [1_000_000] }) }
    const limited = buildApp(own)
    await limited.inject({
      url: '/api/v1/me',
      headers: { authorization: `Bearer ${agency.key}`, 'x-request-id': 'loud' },
    })
    await limited.close()
    expect(read().find(({ request }) => request === 'loud')).toMatchObject({ status: 429, account: agency.number })
  })
  it('names the request of what broke, and nothing of the record that the database refused', async () => {
    await askPastWalls(cell, `alter table customers add constraint no_such_name check (name not like '%${SURNAME}%')`)
    const customer = { name: `Zeynep ${SURNAME}`, email: EMAIL, legal_name: PASSPORT }
    const headers = { 'x-request-id': 'refused-1' }
    const answer = await cell.call('POST', '/customers', { key: agency.key, headers, body: { customer } })
    expect(answer.status).toBe(422)
    const [line] = read().filter(({ request, err }) => request === 'refused-1' && err)
    expect(line?.account).toBe(agency.number)
    expect(line?.err).toMatchObject({ code: '23514', constraint: 'no_such_name', table: 'customers' })
    await askPastWalls(cell, 'alter table customers drop constraint no_such_name')
  })
  it('writes no key, token, address of a person, name or password that was sent, asked for, or answered', async () => {
    const wrong = `sek_${'W'.repeat(49)}`
    await cell.call('GET', '/me', { key: wrong })
    await cell.app.inject(`/s/${SURNAME}?email=${EMAIL}`)
    await cell.app.inject(`/files/${PASSPORT}`)
    await cell.app.inject({ url: '/api/v1/%zz', headers: { authorization: `Bearer ${wrong}` } })
    const written = lines.join('')
    for (const secret of [agency.key, wrong, SURNAME, EMAIL, PASSPORT]) expect(written).not.toContain(secret)
    expect(written).not.toMatch(/sek_\w{8}|whsec_\w{8}|@[\w-]+\.example|Ayşe|Yılmaz/)
    expect(lines.length).toBeGreaterThan(200)
  })
  it.each<[string, object, string]>([
    ['the address of a database', { err: new Error(`cannot reach postgres://app:${PASSWORD}@db/x`) }, PASSWORD],
    ['a key in words', { err: new Error('the key sek_AbCdEfGh0123 is wrong') }, 'AbCdEfGh'],
    ['a key on a line of its own', { err: new Error('the key\nsek_AbCdEfGh0123') }, 'AbCdEfGh'],
    ['a header on a line of its own', { said: 'sent\nBearer abc.def-ghi' }, 'abc.def'],
    ['an address on a line of its own', { said: `550 refused\n${EMAIL}` }, EMAIL],
    ['a header', { headers: { authorization: 'Bearer abc.def-ghi' } }, 'abc.def'],
    ['a link', { url: '/s/AAAABBBBCCCC/trip.ics' }, 'AAAABBBB'],
    ['the address of a survey', { url: '/f/AAAABBBBCCCC' }, 'AAAABBBB'],
    ['the address of a code', { url: '/r/AAAABBBBCCCC/thanks' }, 'AAAABBBB'],
    ['a query', { url: `/api/v1/customers?q=${SURNAME}` }, SURNAME],
    [
      'a letter that was not taken',
      { err: Object.assign(new Error(`550 <${EMAIL}>: no`), { rejected: [EMAIL] }) },
      EMAIL,
    ],
    ['what a cause says', { err: new Error('no', { cause: new Error(`to ${EMAIL}`) }) }, EMAIL],
    [
      'a row',
      { err: Object.assign(new Error('violates "c"'), { severity: 'ERROR', detail: `(${SURNAME})` }) },
      SURNAME,
    ],
    ['a value', { err: Object.assign(new Error(`invalid: "${SURNAME}"`), { severity: 'ERROR' }) }, SURNAME],
    ['a value that quotes', { err: Object.assign(new Error(`"x" ${SURNAME} "y"`), { severity: 'ERROR' }) }, SURNAME],
    ['a value in other quotes', { err: Object.assign(new Error(`»${SURNAME}«`), { severity: 'ERROR' }) }, SURNAME],
  ])('takes out %s', (_, fields, secret) => {
    expect(logged(fields)).not.toContain(secret)
    expect(() => JSON.parse(logged(fields))).not.toThrow()
  })
  it.each([
    'sek_AbCdEfGh0123',
    'whsec_AbCdEfGh0123',
    'Bearer abc.def-ghi',
    'postgres://app:secret@db',
    PASSWORD,
    '/r/AAAABBBBCCCCDDDD/thanks',
    EMAIL,
    '+905321234567',
    '4111 1111 1111 1111',
    '4111111111111111',
    SURNAME,
    'Prefers window seats.',
  ])('of the whole run would not pass with %s in it', (secret) => {
    expect(leaksOf(`{"level":30,"msg":"${secret}"}`)).not.toEqual([])
  })
  it('keeps what helps: the kind of an error, its words, where it was thrown, and its code', () => {
    const { err } = JSON.parse(logged({ err: Object.assign(new TypeError('it broke'), { code: 'E1' }) }))
    expect(err).toEqual({ type: 'TypeError', message: 'it broke', code: 'E1', stack: expect.stringContaining('at ') })
  })
})
