import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { withClient } from '../../../src/platform/db/client.ts'
import { FOLDED } from '../../../src/platform/db/folded-migrations.ts'
import { migrationNames } from '../../../src/platform/db/migrate.ts'
import { environmentOf } from '../../harness/command-line.ts'
import { end, postmasterOf, type Served, serve, temporaryFolder } from '../../harness/process.ts'
import { statusOf } from '../../harness/storm.ts'

const PROCESSES = 3
const SILENT = { LOG_LEVEL: 'silent' }

it('three processes that start at once on an empty database migrate it once, and all of them serve', async () => {
  const database = `empty_${randomUUID().replaceAll('-', '')}`
  const connection = { ...inject('postgres'), user: 'backdesk', database }
  await withClient({ ...connection, database: 'backdesk' }, (client) => client.query(`create database ${database}`))
  const environment = { ...environmentOf({ connection }), ...SILENT }
  const all = await Promise.all(Array.from({ length: PROCESSES }, () => serve(temporaryFolder(), environment)))
  try {
    const ready = await Promise.all(all.map(({ url }) => statusOf(`${url}/ready`)))
    expect(ready).toEqual(all.map(() => 200))
    const { rows } = await withClient(connection, (client) => client.query('select name from migrations order by name'))
    expect(rows.map(({ name }) => name)).toEqual([...FOLDED, ...migrationNames()].sort())
  } finally {
    expect(await Promise.all(all.map(({ child }) => end(child, 'SIGTERM')))).toEqual(all.map(() => 0))
  }
})

it('of three that start at once on an empty folder one serves; killed, it leaves its server to the next', async () => {
  const folder = temporaryFolder()
  const started = await Promise.allSettled(Array.from({ length: PROCESSES }, () => serve(folder, SILENT)))
  const served = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  try {
    expect(served).toHaveLength(1)
    expect(refused).toEqual(Array(PROCESSES - 1).fill(expect.stringContaining('Another process is serving')))
    const [first] = served as [Served]
    const key = first.demo?.keys.full ?? ''
    const works = ({ url }: Served) => statusOf(`${url}/api/v1/customers?limit=1`, key)
    expect(await works(first)).toBe(200)

    const orphan = postmasterOf(folder)
    await end(first.child, 'SIGKILL')
    const adopting = await serve(folder, SILENT)
    served.push(adopting)
    expect([postmasterOf(folder), await works(adopting)]).toEqual([orphan, 200])

    await end(adopting.child, 'SIGKILL')
    process.kill(orphan, 'SIGKILL')
    const replacing = await serve(folder, SILENT)
    served.push(replacing)
    expect([postmasterOf(folder) === orphan, await works(replacing)]).toEqual([false, 200])
  } finally {
    for (const { child } of served) await end(child, 'SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
})
