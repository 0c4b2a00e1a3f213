import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCell, type TestCell } from '../../../../test/harness/cell.ts'
import { freePort } from '../../../../test/harness/process.ts'
import { keepHouse } from '../../../housekeeping.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { download } from '../download.ts'
import { fetchRates } from './fetch-rates.ts'
import { fetchWhenDue } from './fetch-when-due.ts'

const DAILY = readFileSync(join(import.meta.dirname, '../formats/fixtures/eurofxref-daily.xml'))
type Run = { due_today: boolean; leased: boolean; finished: boolean; last_error: string | null }
const readRun = statement<object, Run>(`
  select due_at <= now() as due_today, leased_until is not null as leased, last_finished_at is not null as finished, last_error
  from scheduled_runs`)
const forgetRuns = statement<object, never>('delete from scheduled_runs')
const forgetRates = statement<object, never>('delete from exchange_rates')
const countRates = statement<object, { count: number }>('select count(*)::integer as count from exchange_rates')
const nextDay = statement<object, never>(`update scheduled_runs set due_at = now() - interval '1 second'`)
const leaseRunsOut = statement<object, never>(`update scheduled_runs set leased_until = now() - interval '1 second'`)

let cell: TestCell
beforeAll(async () => {
  cell = await startCell()
})
const system = async <O>(asked: ReturnType<typeof statement<object, O>>): Promise<O[]> =>
  cell.deps.db.askSystem('a test', asked, {})
const saved = async () => (await system(countRates))[0]?.count
beforeEach(async () => {
  await system(forgetRuns)
  await system(forgetRates)
})
afterEach(() => vi.useRealTimers())

/** A server on this machine that counts what it is asked for. */
async function serve(answer: RequestListener): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url as string)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

describe('a fetch of rates', () => {
  it('saves what it finds, through redirects and compression', async () => {
    const { url, asked } = await serve((request, response) => {
      const hops = Number(request.url?.slice(1))
      if (hops > 0) response.writeHead(302, { location: `/${hops - 1}` }).end('moved')
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(DAILY))
    })
    expect(await fetchRates(cell.deps.db, `${url}/3`)).toMatchObject({
      source: 'ecb',
      added: 30,
      last_day: '2024-06-28',
    })
    expect(asked).toEqual(['/3', '/2', '/1', '/0'])
    expect(await fetchRates(cell.deps.db, `${url}/0`)).toMatchObject({ added: 0, unchanged: 30 })
  })
  it.each<[string, RegExp, RequestListener]>([
    ['an error of the server', /the server answered 500/, (_, response) => response.writeHead(500).end('no')],
    ['a redirect without an address', /the server answered 302/, (_, response) => response.writeHead(302).end()],
    ['a redirect too many', /redirects too often/, (_, response) => response.writeHead(302, { location: '/' }).end()],
    [
      'a redirect elsewhere than the web',
      /redirects from http: to file:/,
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
    ['a page', /of no format/, (_, response) => response.end('<html>Maintenance</html>')],
    ['nothing', /of no format/, (_, response) => response.end()],
    ['a file that is cut off', /damaged/, (_, response) => response.end(DAILY.subarray(0, 900))],
    [
      'a connection that breaks',
      /could not be fetched: /,
      (_, response) => {
        response.writeHead(200, { 'content-length': DAILY.length })
        response.write(DAILY.subarray(0, 900), () => response.destroy())
      },
    ],
  ])('refuses %s and saves nothing', async (_, said, answer) => {
    const { url } = await serve(answer)
    await expect(fetchRates(cell.deps.db, url)).rejects.toThrow(said)
    expect(await saved()).toBe(0)
  })
  it('gives up on a server that is not there, slow, or says too much, and never tells the query of the address', async () => {
    const limits = { totalMs: 200, maxBytes: 1024 * 1024, redirects: 3 }
    const slow = await serve((_, response) => void response.writeHead(200).write('<'))
    await expect(download(`${slow.url}/a?key=k`, undefined, limits)).rejects.toThrow(
      `${slow.url}/a could not be fetched: it took longer than 0.2 s.`,
    )
    const endless = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    await expect(download(endless.url, undefined, { ...limits, totalMs: 20_000 })).rejects.toThrow(/larger than 1 MB/)
    const nobody = `http://127.0.0.1:${await freePort()}`
    await expect(download(`${nobody}/?key=k`)).rejects.toThrow(
      new RegExp(`^${nobody}/ could not be fetched: .*ECONNREFUSED`),
    )
  })
})

describe('the daily fetch', () => {
  it('is made once, however many processes ask, and again on the next day', async () => {
    const { url, asked } = await serve((_, response) => void setTimeout(() => response.end(DAILY), 50))
    const other = openDatabase(cell.connection, 2, () => {})
    onTestFinished(() => other.close())
    const everybody = () =>
      Promise.all([cell.deps.db, other, cell.deps.db, other, cell.deps.db].map((db) => fetchWhenDue(db, url)))
    expect((await everybody()).filter((fetched) => fetched !== null)).toHaveLength(1)
    expect(await everybody()).toEqual([null, null, null, null, null])
    expect(asked).toHaveLength(1)
    expect(await system(readRun)).toEqual([{ due_today: false, leased: false, finished: true, last_error: null }])
    await system(nextDay)
    expect((await everybody()).filter((fetched) => fetched !== null)).toHaveLength(1)
    expect(asked).toHaveLength(2)
  })
  it('stays due when it fails, says why, and is made by who asks next', async () => {
    let broken = true
    const { url } = await serve((_, response) => (broken ? response.writeHead(503).end() : response.end(DAILY)))
    await expect(fetchWhenDue(cell.deps.db, url)).rejects.toThrow(/503/)
    expect(await system(readRun)).toEqual([
      {
        due_today: true,
        leased: false,
        finished: false,
        last_error: `${url} could not be fetched: the server answered 503.`,
      },
    ])
    broken = false
    expect(await fetchWhenDue(cell.deps.db, url)).toMatchObject({ added: 30 })
    expect(await system(readRun)).toEqual([{ due_today: false, leased: false, finished: true, last_error: null }])
  })
  it('of a process that was killed is made by another when its lease has run out', async () => {
    const { url } = await serve((_, response) => response.end(DAILY))
    const dead = { ...cell.deps.db, asSystem: () => new Promise<never>(() => {}) } // it stops before it saves
    void fetchWhenDue(dead, url)
    await vi.waitFor(async () => expect((await system(readRun))[0]?.leased).toBe(true))
    expect(await fetchWhenDue(cell.deps.db, url)).toBeNull()
    await system(leaseRunsOut)
    expect(await fetchWhenDue(cell.deps.db, url)).toMatchObject({ added: 30 })
  })
  it('is made when a process starts, asked for every hour, and not without an address', async () => {
    const { url, asked } = await serve((_, response) => response.end(DAILY))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stopIdle = keepHouse(cell.deps)
    await stopIdle()
    expect(await system(readRun)).toEqual([])
    const stop = keepHouse({ ...cell.deps, config: { ...cell.deps.config, exchangeRateUrl: url } })
    await vi.waitFor(async () => expect((await system(readRun))[0]?.finished).toBe(true))
    expect(await saved()).toBe(30)
    await system(nextDay)
    vi.advanceTimersByTime(60 * 60_000)
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    await stop()
  })
  it('does not keep a process from stopping, and is due at once when it starts again', async () => {
    const { url, asked } = await serve(() => {}) // never answers
    const stop = keepHouse({ ...cell.deps, config: { ...cell.deps.config, exchangeRateUrl: url } })
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    await stop()
    expect(await system(readRun)).toEqual([
      { due_today: true, leased: false, finished: false, last_error: `${url} could not be fetched: the cell stops.` },
    ])
  })
})
