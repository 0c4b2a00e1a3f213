import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { cloneDatabase, startCell, type TestCell } from '../harness/cell.ts'
import { type StallingProxy, startProxy } from '../harness/proxy.ts'

const READY = [200, undefined, { ready: true }]
const notReady = (reason: string) => [503, '2', { ready: false, reason }]

let cell: TestCell
let proxy: StallingProxy
beforeAll(async () => {
  const connection = await cloneDatabase()
  const { host, port } = connection
  proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` })
  cell = await startCell({ connection: { ...connection, host: '127.0.0.1', port: proxy.port } })
})
async function readyOf(app: FastifyInstance): Promise<unknown[]> {
  const { statusCode, headers, body } = await app.inject('/ready')
  return [statusCode, headers['retry-after'], JSON.parse(body)]
}
const sql = (text: string) => withClient({ ...cell.connection, user: 'postgres' }, (client) => client.query(text))

describe('readiness', () => {
  it('needs no key, for GET and HEAD, and health reports only that the process runs', async () => {
    expect(await readyOf(cell.app)).toEqual(READY)
    expect((await cell.app.inject({ method: 'HEAD', url: '/ready' })).statusCode).toBe(200)
    expect((await cell.app.inject({ method: 'POST', url: '/ready' })).statusCode).toBe(405)
  })
  it('is lost within some more than a second when the database does not answer, and comes back with it', async () => {
    proxy.stall(true)
    const begin = performance.now()
    const asked = await Promise.all(Array.from({ length: 20 }, () => readyOf(cell.app)))
    expect(new Set(asked.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(notReady('database'))]),
    )
    expect(performance.now() - begin).toBeLessThan(5_000)
    expect((await cell.app.inject('/api/v1/health')).statusCode).toBe(200)
    proxy.stall(false)
    await vi.waitFor(async () => expect(await readyOf(cell.app)).toEqual(READY), { timeout: 5_000 })
  })
  it('needs every migration of this program, and minds none of a newer one', async () => {
    await sql(`insert into migrations (name) values ('9999_of_a_newer_program.sql')`)
    expect(await migrate(cell.connection)).toEqual([])
    expect(await readyOf(cell.app)).toEqual(READY)
    await sql(`update migrations set name = 'x' || name where name like '0001%'`)
    expect(await readyOf(cell.app)).toEqual(notReady('migrations'))
    await sql(`update migrations set name = substr(name, 2) where name like 'x0001%'`)
    expect(await readyOf(cell.app)).toEqual(READY)
  })
  it('ends first when the process stops: requests are still answered, and asked to reconnect', async () => {
    const stopping = new AbortController()
    const app = buildApp(cell.deps, stopping.signal)
    expect((await app.inject('/api/v1/health')).headers.connection).not.toBe('close')
    stopping.abort()
    expect(await readyOf(app)).toEqual(notReady('stopping'))
    const { statusCode, headers } = await app.inject('/api/v1/health')
    expect([statusCode, headers.connection]).toEqual([200, 'close'])
    await app.close()
  })
})
