import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCell, type TestCell } from '../../../../test/harness/cell.ts'
import { freePort } from '../../../../test/harness/process.ts'
import { undeclared } from '../../../../test/harness/undeclared.ts'
import { startBackground } from '../../../background.ts'
import { download } from '../../../platform/net/download.ts'
import { fetchRates } from './fetch-rates.ts'

const DAILY = readFileSync(join(import.meta.dirname, '../formats/fixtures/eurofxref-daily.xml'))
type Run = { due_today: boolean; leased: boolean; finished: boolean; last_error: string | null }
const readRun = undeclared<object, Run>(`
  select due_at <= now() as due_today, leased_until is not null as leased, last_finished_at is not null as finished, last_error
  from scheduled_runs where name = 'exchange rates'`)
const forgetRuns = undeclared<object, never>('delete from scheduled_runs')
const forgetRates = undeclared<object, never>('delete from exchange_rates')
const countRates = undeclared<object, { count: number }>('select count(*)::integer as count from exchange_rates')
const nextDay = undeclared<object, never>(`update scheduled_runs set due_at = now() - interval '1 second'`)

let cell: TestCell
beforeAll(async () => {
  cell = await startCell()
})
const system = async <O>(asked: ReturnType<typeof undeclared<object, O>>): Promise<O[]> =>
  cell.deps.db.askSystem('a test', asked, {})
const saved = async () => (await system(countRates))[0]?.count
beforeEach(async () => {
  await system(forgetRuns)
  await system(forgetRates)
})
afterEach(() => vi.useRealTimers())

/** A server on this machine that counts its requests. */
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
    ['a redirect too many', /too many redirects/, (_, response) => response.writeHead(302, { location: '/' }).end()],
    [
      'a redirect elsewhere than the web',
      /redirects from http: to file:/,
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
    ['a page', /format of the file is not supported/, (_, response) => response.end('<html>Maintenance</html>')],
    ['nothing', /format of the file is not supported/, (_, response) => response.end()],
    ['a file that is cut off', /damaged/, (_, response) => response.end(DAILY.subarray(0, 900))],
    [
      'a connection that breaks',
      /Could not fetch /,
      (_, response) => {
        response.writeHead(200, { 'content-length': DAILY.length })
        response.write(DAILY.subarray(0, 900), () => response.destroy())
      },
    ],
  ])('refuses %s and saves nothing', async (_, reason, answer) => {
    const { url } = await serve(answer)
    await expect(fetchRates(cell.deps.db, url)).rejects.toThrow(reason)
    expect(await saved()).toBe(0)
  })
  it('gives up on an unavailable or slow server or a large response, and never logs the query of the address', async () => {
    const limits = { totalMs: 200, maxBytes: 1024 * 1024, redirects: 3 }
    const slow = await serve((_, response) => void response.writeHead(200).write('<'))
    await expect(download(`${slow.url}/a?key=k`, undefined, limits)).rejects.toThrow(
      `Could not fetch ${slow.url}/a: it took longer than 0.2 s.`,
    )
    const endless = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    await expect(download(endless.url, undefined, { ...limits, totalMs: 20_000 })).rejects.toThrow(/larger than 1 MB/)
    const unused = `http://127.0.0.1:${await freePort()}`
    await expect(download(`${unused}/?key=k`, undefined, limits)).rejects.toThrow(
      new RegExp(`^Could not fetch ${unused}/: .*ECONNREFUSED`),
    )
  })
})

describe('the daily fetch', () => {
  const withUrl = (url: string) => ({ ...cell.deps, config: { ...cell.deps.config, exchangeRateUrl: url } })

  it('is made when a process starts, once a day however many there are, and not without an address', async () => {
    const { url, asked } = await serve((_, response) => response.end(DAILY))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const stopIdle = startBackground(cell.deps)
    await stopIdle()
    expect(await system(readRun)).toEqual([])
    const stops = [startBackground(withUrl(url)), startBackground(withUrl(url))]
    await vi.waitFor(async () => expect((await system(readRun))[0]?.finished).toBe(true))
    expect(await saved()).toBe(30)
    vi.advanceTimersByTime(60 * 60_000)
    expect(await system(readRun)).toEqual([{ due_today: false, leased: false, finished: true, last_error: null }])
    expect(asked).toHaveLength(1)
    await system(nextDay)
    vi.advanceTimersByTime(60_000)
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    await Promise.all(stops.map((stop) => stop()))
    expect(asked).toHaveLength(2)
  })
  it('stays due after a failure, reports it, and is retried within the hour', async () => {
    const { url } = await serve((_, response) => response.writeHead(503).end())
    const stop = startBackground(withUrl(url))
    await vi.waitFor(async () => expect((await system(readRun))[0]?.last_error).toEqual(expect.any(String)))
    await stop()
    expect(await system(readRun)).toEqual([
      {
        due_today: true,
        leased: true,
        finished: false,
        last_error: `Could not fetch ${url}: the server answered 503.`,
      },
    ])
  })
  it('does not keep a process from stopping, and is due at once when it starts again', async () => {
    const { url, asked } = await serve(() => {}) // never answers
    const stop = startBackground(withUrl(url))
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    await stop()
    expect(await system(readRun)).toEqual([
      { due_today: true, leased: false, finished: false, last_error: `Could not fetch ${url}: the cell stops.` },
    ])
  })
})
