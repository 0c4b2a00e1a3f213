import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { maskedBody } from '../../src/features/request-log/masked-body.ts'
import { requestPurge } from '../../src/features/request-log/request-purge.job.ts'
import { type LoggedRequest, requestLog } from '../../src/platform/http/request-log.ts'
import { instruments } from '../../src/platform/metrics/instruments.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask, askPastWalls } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

type Logged = { id: string; path: string; status: number; batch_id: string | null; rows: number; body?: object }
type Used = { route: string; requests: number; failed: number; refused: number; rows: number }

let cell: TestCell
let agency: Agency
let session: string
beforeAll(async () => {
  cell = await startCell()
  agency = await makeAgency(cell)
  session = await signInAs(cell, agency.number, agency.owner.id)
})
const send = (method: string, path: string, body?: object, key = agency.key) =>
  cell.call(method, path, { key, ...(body && { body }), headers: { 'x-request-id': 'mine' } })
async function read<T>(path: string): Promise<T> {
  await cell.deps.requests.flush()
  const { status, body } = await cell.call('GET', `/app/v1${path}`, { session })
  expect(status).toBe(200)
  return (body as { data: T }).data
}

describe('the request log', () => {
  it('has every request of a key, by what it was, and none of another account', async () => {
    const other = await makeAgency(cell)
    await send('GET', '/me?x=1', undefined, other.key)
    const rows = [{ external_id: 'r', name: 'Ayşe' }]
    const { body } = await send('POST', '/imports/customers', { rows, mode: 'sync' })
    const { id } = (body as { data: { id: string } }).data
    await send('GET', '/customers?q=secret')
    const [newest, imported] = await read<Logged[]>('/request_log')
    expect(newest).toMatchObject({ path: '/api/v1/customers', route: '/api/v1/customers', status: 200, rows: 0 })
    expect(newest).toMatchObject({ request_id: 'mine', method: 'GET', batch_id: null, address: '127.0.0.1' })
    expect(imported).toMatchObject({ status: 200, batch_id: id, rows: 1 })
    expect(await read<Logged[]>(`/request_log?batch_id=${id}`)).toHaveLength(1)
    expect(await read<Logged[]>('/request_log?scope=failed')).toEqual([])
    expect(await read<Logged[]>('/request_log?to=2020-01-01')).toEqual([])
    expect(JSON.stringify(await read('/request_log?limit=100'))).not.toContain('secret')
    const theirs = await ask<{ id: string }>(cell, 'select id from request_log where account_id = $1', [other.number])
    expect(theirs).toHaveLength(1)
    expect((await cell.call('GET', `/app/v1/request_log/${theirs[0]?.id}`, { session })).status).toBe(404)
  })
  it('has the body of a write that failed, without its personal and money values', async () => {
    await send('POST', '/customers', { customer: { name: 'Ayşe', phone: 905551112233, locale: 'xx', nope: 1 } })
    const [failed] = await read<Logged[]>('/request_log?scope=failed')
    const { body } = await read<Logged>(`/request_log/${failed?.id}`)
    expect(body).toEqual({ customer: { name: '(text of 4)', phone: '(number)', locale: 'xx', nope: '(number)' } })
  })
  it('shows no value of a body but those of known names, whatever the body is, and stays small', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary', minLength: 12 }), (around, secret) => {
        const masked = maskedBody({ rows: [around, { name: secret, list: [secret], deep: { iban: secret } }] })
        expect((masked ?? '').length).toBeLessThanOrEqual(4_000)
        expect(masked ?? '').not.toContain(JSON.stringify(secret).slice(1, -1))
      }),
    )
  })
  it('stores bodies with any text', async () => {
    await send('POST', '/tasks', { task: { kind: 'a\u0000b\ud800', 'x\u0000\udfff': { status: '\u0000' } } })
    const [failed] = await read<Logged[]>('/request_log?scope=failed')
    expect(await read<Logged>(`/request_log/${failed?.id}`)).toMatchObject({ body: { task: { kind: 'ab\ufffd' } } })
  })
  it('forgets requests after 30 days', async () => {
    await read('/request_log')
    await askPastWalls(cell, `update request_log set at = now() - interval '31 days' where account_id = $1`, [
      agency.number,
    ])
    await requestPurge.run(cell.deps, GO_ON)
    expect(await read<Logged[]>('/request_log')).toEqual([])
  })
})

describe('usage', () => {
  it('counts requests, failures, refusals and rows per day, key and route', async () => {
    const { key } = await agency.makeKey()
    const rows = [1, 2, 3].map((nth) => ({ external_id: `u${nth}`, name: 'U' }))
    await send('POST', '/imports/customers', { rows, mode: 'sync' }, key)
    await send('GET', '/customers/01890000-0000-7000-8000-000000000000', undefined, key)
    let refused = 0
    let sent = 0
    for (; refused === 0 && sent < 5_000; sent++)
      if ((await send('GET', '/me', undefined, key)).status === 429) refused++
    const id = (
      await ask<{ id: string }>(cell, 'select id from api_keys where account_id = $1 order by id desc limit 1', [
        agency.number,
      ])
    )[0]?.id
    const used = await read<Used[]>(`/usage?key_id=${id}`)
    const of = (route: string) => used.find((one) => one.route === `/api/v1${route}`)
    expect(of('/imports/:entity')).toMatchObject({ requests: 1, failed: 0, refused: 0, rows: 3 })
    expect(of('/customers/:id')).toMatchObject({ requests: 1, failed: 1, refused: 0 })
    expect(of('/me')).toMatchObject({ requests: sent, failed: 0, refused: 1 })
    await send('POST', '/imports/customers', { rows, mode: 'sync' }, key)
    expect(await read<Used[]>(`/usage?key_id=${id}&to=2020-01-01`)).toEqual([])
  })
})

describe('the requests that wait to be written', () => {
  const request = (path: string) =>
    ({
      principal: { kind: 'key', id: 'k', actor: { account: 1 } },
      method: 'GET',
      url: path,
      id: 'r',
      batch: null,
    }) as never
  const droppedNow = () =>
    Number(
      instruments()
        .find(({ name }) => name === 'backdesk_request_log_dropped_total')
        ?.lines()[0]
        ?.split(' ')
        .at(-1) ?? 0,
    )

  it('are few under overload: the others are dropped and counted, and usage still has them all', async () => {
    const written: LoggedRequest[] = []
    let requests = 0
    const log = requestLog(
      async (logged, counted) => {
        written.push(...logged)
        for (const one of counted) requests += one.requests
      },
      maskedBody,
      () => '10.0.0.1',
      Date.now,
      5,
    )
    const before = droppedNow()
    for (let nth = 0; nth < 12; nth++) log.note(request(`/${nth}`), '/x', 200, 1)
    await log.flush()
    expect(written.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3', '/4'])
    expect([droppedNow() - before, requests]).toEqual([7, 12])
  })
  it('are dropped where the database is away, and their counts are written later', async () => {
    let isAway = true
    let requests = 0
    const log = requestLog(
      async (_, counted) => {
        if (isAway) throw new Error('away')
        for (const one of counted) requests += one.requests
      },
      maskedBody,
      () => '10.0.0.1',
      Date.now,
    )
    const before = droppedNow()
    log.note(request('/a'), '/x', 200, 1)
    await expect(log.flush()).rejects.toThrow('away')
    isAway = false
    log.note(request('/b'), '/x', 200, 1)
    await log.flush()
    expect([droppedNow() - before, requests]).toEqual([1, 2])
  })
})
