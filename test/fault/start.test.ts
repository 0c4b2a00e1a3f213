import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { migrate, migrationNames } from '../../src/platform/db/migrate.ts'
import { countInDatabase } from '../../src/platform/http/rate-limit.ts'
import { makeAgency } from '../harness/agency.ts'
import { atEnd } from '../harness/at-end.ts'
import { cloneDatabase, startCell } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import {
  end,
  postmasterOf,
  run,
  type Served,
  serve,
  start as startProcess,
  temporaryFolder,
} from '../harness/process.ts'

const folder = temporaryFolder()
const running: Served[] = []
const start = async (environment: Record<string, string> = {}, dataDir = folder) => {
  const served = await serve(dataDir, environment)
  running.push(served)
  return served
}
/** The one that serves the folder. */
const serving = (): Served => {
  const served = running.at(-1)
  if (!served) throw new Error('nothing serves the folder')
  return served
}
const me = async ({ url }: Served, key = '') =>
  (await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status
const postmaster = (dataDir = folder) => postmasterOf(dataDir)
let keys: Record<string, string> = {}

afterAll(async () => {
  for (const { child } of running.splice(0)) await end(child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

// Each test uses the folder, and the process that serves it, as the previous test left them, because a start takes
// seconds. For what a killed process leaves, see join-server.test.ts, and for a whole cell
// test/fault/thorough/starts.test.ts.
describe('a cell', { timeout: 60_000 }, () => {
  it('on its first start makes the demo agency and prints keys that work, and stops with its database on SIGTERM', async () => {
    const served = await start()
    keys = served.demo?.keys ?? {}
    expect(Object.keys(keys)).toEqual(['full', 'import', 'ticket_import'])
    expect([await me(served, keys.full), await me(served, keys.import)]).toEqual([200, 403])
    const feed = await fetch(`${served.url}/api/v1/imports/hotel_stays/records`, {
      headers: { authorization: `Bearer ${keys.import}` },
    })
    expect(((await feed.json()) as { data: unknown[] }).data).toHaveLength(25)
    const shared = await fetch(`${served.url}${served.demo?.sharedTrip}`)
    expect([shared.status, await shared.text()]).toEqual([200, expect.stringContaining('Roma ve Floransa')])
    for (const page of [served.demo?.survey, served.demo?.referral])
      expect((await fetch(`${served.url}${page}`)).status).toBe(200)
    const begin = performance.now()
    expect(await end(served.child, 'SIGTERM')).toBe(0)
    expect(performance.now() - begin).toBeLessThan(10_000)
    expect(() => postmaster()).toThrow() // its file is deleted with it
  })
  it('that cannot use its port reports it, and leaves no database running', async () => {
    const taken = createServer().listen(0)
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await expect(serve(folder, { PORT: String(port) })).rejects.toThrow(/Port \d+ is in use/)
    taken.close()
    expect(() => postmaster()).toThrow()
  })
  it('is not needed by a command, which starts the database for itself and stops it', async () => {
    const { stdout } = await run(['migrate', '--json'], folder)
    expect(JSON.parse(stdout)).toEqual({ applied: [] })
    expect(() => postmaster()).toThrow()
  })
  it('on a later start prints the pages of the demo agency again, and how to create a key', async () => {
    const child = startProcess(['serve'], folder, {})
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
    })
    await vi.waitFor(() => expect(text).toContain('key create'), { timeout: 30_000 })
    const url = /Backdesk is running at (\S+)/.exec(text)?.[1]
    const pages = [...text.matchAll(/^[^(\n]*: (http\S+)$/gm)].map(([, page]) => page as string)
    expect(pages).toHaveLength(3)
    for (const page of pages) expect([page.startsWith(`${url}/`), (await fetch(page)).status]).toEqual([true, 200])
    expect(text).toMatch(/npx backdesk key create --account 2\d{7} --name/)
    expect(existsSync(join(folder, 'address.json'))).toBe(true)
    expect(await end(child, 'SIGTERM')).toBe(0)
    expect(existsSync(join(folder, 'address.json'))).toBe(false)
  })
  it('on its second start finds everything again', async () => {
    const served = await start()
    expect(served.demo).toBeNull()
    expect(await me(served, keys.full)).toBe(200)
    const listed = await runHere(['batches', 'list', '--json'], folder, { BACKDESK_KEY: keys.full ?? '' })
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [] }) // found by the folder that it serves
  })
  it('whose database dies stays up, answers 503 with Retry-After or an answer, and recovers by itself', async () => {
    const served = serving()
    process.kill(postmaster(), 'SIGQUIT') // immediate shutdown: as good as a crash
    const seen = new Set<number>()
    for (let waited = 0; waited < 15_000; waited += 100) {
      const answer = await fetch(`${served.url}/api/v1/workspace`, {
        headers: { authorization: `Bearer ${keys.full}` },
      })
      seen.add(answer.status)
      if (answer.status === 503) {
        expect([await answer.json(), answer.headers.get('retry-after')]).toEqual([
          expect.objectContaining({ code: 'unavailable' }),
          expect.any(String),
        ])
      } else await answer.text()
      expect((await fetch(`${served.url}/api/v1/health`)).status).toBe(200)
      if (answer.status === 200 && waited > 1_000) break
      await sleep(100)
    }
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await me(served, keys.full)).toBe(200)
  })
})

// These wait for what others do most of the time, so they do it at once.
describe.concurrent('a cell that is served', { timeout: 60_000 }, () => {
  it('by one process is served by no other where the database is its own, and joined by commands, which leave it running', async ({
    expect,
  }) => {
    const served = serving()
    const another = expect(serve(folder)).rejects.toThrow(/Another process is serving/) // after it has waited for a while
    const json = async (...args: string[]) => JSON.parse((await runHere([...args, '--json'], folder)).stdout)
    const account = String((await json('account', 'list')).accounts[0]?.id)
    const may = ['--scopes', 'full,import', '--role', 'viewer', '--allow-cidr', '::1,127.0.0.1']
    const made = await json('key', 'create', '--account', account, '--name', 'More', ...may)
    expect(await me(served, made.key)).toBe(200)
    expect(await json('key', 'revoke', '--account', account, '--id', made.id)).toEqual({ id: made.id, revoked: true })
    await vi.waitFor(async () => expect(await me(served, made.key)).toBe(401), { timeout: 2_000 })
    await another
  })
  it('on a server of its own has no demo, and shares counters between processes', async ({ expect }) => {
    const connection = await cloneDatabase()
    const environment = environmentOf({ connection })
    const served = await start(environment, temporaryFolder())
    expect(served.demo).toBeNull()
    const db = openDatabase(connection, 1, () => {})
    atEnd(() => db.close())
    const count = countInDatabase(db, () => {})
    const here = await startCell({ connection, cellSecret: environment.SECRET, deps: { count } })
    const { key } = await makeAgency(here)
    const there = await fetch(`${served.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    const first = Number(there.headers.get('x-ratelimit-remaining'))
    const second = Number((await here.call('GET', '/me', { key })).headers['x-ratelimit-remaining'])
    expect([first - second, 599 - second]).toContain(1)
    expect(await end(served.child, 'SIGTERM')).toBe(0)
    await withClient(connection, async (client) =>
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]),
    )
  })
})

it('a database is migrated once, by however many processes at once', async () => {
  const connection = await cloneDatabase('template0')
  const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(connection)))
  expect(applied.flat()).toEqual(migrationNames())
})
