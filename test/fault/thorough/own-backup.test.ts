import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { joinServer } from '#embedded-postgres/join-server.ts'
import { everyRow } from '../../harness/every-row.ts'
import { end, run, serve, temporaryFolder } from '../../harness/process.ts'

const SILENT = { LOG_LEVEL: 'silent' }
const OWNERS_ALONE = 0o600

type List = { data: object[]; page: { next_cursor: string | null } }
async function customers(url: string, key: string, more = ''): Promise<List> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${url}/api/v1/imports/customers/records?limit=2${more}`, { headers })).json() as never
}
const modeOf = (path: string): number => statSync(path).mode & 0o777
const rowsIn = async (dataDir: string): Promise<Record<string, string[]>> => {
  const server = await joinServer(dataDir)
  return everyRow(server.connection).finally(() => server.leave())
}

it('a cell on its own PostgreSQL is restored from a backup, with the secret that it kept, and serves', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()]
  const file = join(from, 'cell.backup')
  const served = [await serve(from, SILENT)]
  try {
    const [url, key] = [served[0]?.url ?? '', served[0]?.demo?.keys.full ?? '']
    const after = `&cursor=${(await customers(url, key)).page.next_cursor}`
    const next = await customers(url, key, after)
    expect(next.data).toHaveLength(2)
    const made = await run(['backup', file, '--json'], from) // while it serves
    expect([made.code, JSON.parse(made.stdout)]).toMatchObject([0, { missing: 0, secret: true, bucket: false }])
    for (const { child } of served) await end(child, 'SIGTERM')

    const restored = await run(['restore', file, '--json'], to)
    expect([restored.code, JSON.parse(restored.stdout)]).toMatchObject([0, { migrated: [], bucket: false }])
    expect(readFileSync(join(to, 'secret'), 'utf8')).toBe(readFileSync(join(from, 'secret'), 'utf8'))
    expect([modeOf(file), modeOf(join(to, 'secret'))]).toEqual([OWNERS_ALONE, OWNERS_ALONE])
    const [had, has] = [await rowsIn(from), await rowsIn(to)]
    expect(Object.keys(has)).toEqual(Object.keys(had))
    for (const table of ['customers', 'bookings', 'communications']) {
      expect(has[table]).toEqual(had[table])
      expect(has[table]?.length).toBeGreaterThan(0)
    }

    const again = await serve(to, SILENT)
    served.push(again)
    expect((await customers(again.url, key, after)).data).toEqual(next.data)
  } finally {
    for (const { child } of served) await end(child, 'SIGTERM')
    for (const folder of [from, to]) rmSync(folder, { recursive: true, force: true })
  }
})
