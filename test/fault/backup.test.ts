import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeArchive } from '../../src/platform/backup/archive.ts'
import { backUp } from '../../src/platform/backup/back-up.ts'
import { BACKUP, secretThatIsSet } from '../../src/platform/backup/manifest.ts'
import { withSnapshot } from '../../src/platform/backup/snapshot.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { migrate, migrationNames } from '../../src/platform/db/migrate.ts'
import type { FileStore } from '../../src/platform/files/file-store.ts'
import { importRows, makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { environmentOf, runHere } from '../harness/command-line.ts'
import { cloneDemo, DEMO_SECRET } from '../harness/demo.ts'
import { isThorough } from '../harness/depth.ts'
import { everyRow } from '../harness/every-row.ts'
import { formerDatabase } from '../harness/former-database.ts'
import { start, temporaryFolder } from '../harness/process.ts'
import { PDF } from '../harness/sample-files.ts'
import { ask, askPastWalls } from '../harness/sql.ts'
import { uploaded } from '../harness/upload.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newPath = () => join(folder, randomUUID())
const OPEN_ROWS = 20

/** A database with nothing in it, on the server of the tests. */
async function emptyDatabase(beside: Connection): Promise<{ connection: Connection }> {
  const database = `restored_${randomUUID().replaceAll('-', '')}`
  await withClient(beside, (client) => client.query(`create database ${database}`))
  return { connection: { ...beside, database } }
}
const commandOn = (of: { connection: Connection }, dataDir: string, ...args: string[]) =>
  runHere([...args, '--json'], dataDir, environmentOf(of as TestCell))

describe('a backup of a cell', { timeout: 120_000 }, () => {
  let cell: TestCell
  let file: string
  beforeAll(async () => {
    const { connection, demo } = await cloneDemo()
    cell = await startCell({ connection, cellSecret: DEMO_SECRET, deps: { count: uncounted } })
    await uploaded(cell, demo.keys.full, 'a.pdf', PDF)
    file = newPath()
    const { code, stdout } = await commandOn(cell, cell.deps.config.dataDir, 'backup', file)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { files: 1, missing: 0, secret: false }])
  })

  it('is restored row by row, with its files, into an empty database alone', async () => {
    const [to, dataDir] = [await emptyDatabase(cell.connection), newPath()]
    const { code, stdout } = await commandOn(to, dataDir, 'restore', file)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { files: 1, migrated: [] }])
    const rows = await everyRow(cell.connection)
    const restored = await everyRow(to.connection)
    const restoreEntries = restored.audit_log?.filter((row) => row.includes('cell.restored'))
    expect(restoreEntries).toHaveLength(1)
    expect(rows.audit_log?.filter((row) => row.includes('cell.backup_begun'))).toHaveLength(1)
    /** The entry of the restore, and its place in the queue of the chain. */
    const [id = 'none'] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(restoreEntries?.[0] ?? '') ?? []
    const withoutEntry = (found: readonly string[] = []) => found.filter((row) => !row.includes(id))
    const { audit_log, audit_pending } = restored
    expect({
      ...restored,
      audit_log: withoutEntry(audit_log),
      audit_pending: withoutEntry(audit_pending),
    }).toEqual(rows)
    expect(Object.values(rows).flat().length).toBeGreaterThan(5_000)
    const [kept] = await ask<{ account_id: number; id: string }>(to, 'select account_id, id from files')
    const place = `${kept?.account_id}/${kept?.id.slice(-2)}/${kept?.id}`
    expect(readFileSync(join(dataDir, 'files', place)).equals(PDF)).toBe(true)
    const schema = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select relname, relrowsecurity::text, relforcerowsecurity::text from pg_class where relnamespace = 'public'::regnamespace
      union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal order by 1, 2`
    expect(await askPastWalls(to, schema)).toEqual(await askPastWalls(cell, schema))
    const again = await commandOn(to, dataDir, 'restore', file)
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('into an empty database')])
    expect(await everyRow(to.connection)).toEqual(restored)
  })
  it('is consistent while the cell continues to write', async () => {
    const { key } = await makeAgency(cell)
    const writing = new AbortController()
    let batches = 0
    const write = (async () => {
      for (; !writing.signal.aborted; batches++)
        await importRows(cell, key, 'customers', rowsOf(batches), { source_system: 'meanwhile' })
    })()
    while (batches === 0) await sleep(1)
    const busy = newPath()
    await backUp(cell.connection, { store: null, secret: secretThatIsSet(DEMO_SECRET) }, busy)
    writing.abort()
    await write
    const to = { connection: await cloneDatabase() } // its tables are there, and empty
    expect((await commandOn(to, newPath(), 'restore', busy)).code).toBe(0)
    const batchesOf = (of: { connection: Connection }) =>
      ask<{ batch: string; count: number; noted: number }>(
        of,
        `select split_part(external_id, '-', 1) as batch, count(*)::integer as count, (select count(*)::integer from import_batches where source_system = 'meanwhile') as noted
         from customers where source_system = 'meanwhile' group by 1`,
      )
    const restored = await batchesOf(to)
    expect(restored.length).toBeGreaterThan(0)
    expect(restored.every(({ count, noted }) => count === OPEN_ROWS && noted === restored.length)).toBe(true)
    expect(restored.length).toBeLessThanOrEqual((await batchesOf(cell)).length)
  })
  it('that is cut off or altered is refused before anything is there', async () => {
    const whole = readFileSync(file)
    const altered = Buffer.from(whole)
    const middle = whole.length >> 1
    altered.writeUInt8(whole.readUInt8(middle) ^ 1, middle)
    const to = await emptyDatabase(cell.connection)
    for (const bytes of [whole.subarray(0, middle), altered, Buffer.from('no backup'), Buffer.alloc(0)]) {
      const [damaged, dataDir] = [newPath(), newPath()]
      writeFileSync(damaged, bytes)
      const { code, stdout } = await commandOn(to, dataDir, 'restore', damaged)
      expect([code, stdout]).toEqual([1, expect.stringMatching(/damaged or incomplete|is not a Backdesk archive/)])
      expect(existsSync(dataDir)).toBe(false)
    }
    expect(await tablesOf(to)).toBe(0)
  })
  it.runIf(isThorough)('leaves nothing behind when its restore is killed, and is restored again', async () => {
    const [to, dataDir] = [await emptyDatabase(cell.connection), newPath()]
    const child = start(['restore', file], dataDir, environmentOf(to as TestCell))
    const ended = once(child, 'exit')
    const at = `select pid from pg_stat_activity where datname = current_database() and query like 'copy%'`
    while (child.exitCode === null && (await askPastWalls(to, at)).length === 0) await sleep(1)
    child.kill('SIGKILL')
    await ended
    while (
      (
        await askPastWalls(
          to,
          `select from pg_stat_activity where datname = current_database() and application_name = 'backdesk'`,
        )
      ).length > 0
    )
      await sleep(5)
    expect(child.signalCode).toBe('SIGKILL')
    expect(await tablesOf(to)).toBe(0)
    expect((await commandOn(to, dataDir, 'restore', file)).code).toBe(0)
    expect((await everyRow(to.connection)).bookings).toEqual((await everyRow(cell.connection)).bookings)
  })
  it('of an older version is restored and migrated, and of a newer one refused', async () => {
    const to = await emptyDatabase(cell.connection)
    const [older, newer] = [newPath(), newPath()]
    const secret = secretThatIsSet(DEMO_SECRET)
    const head = { kind: BACKUP, made_at: '2026-01-01T00:00:00Z', files: 'bucket', secret }
    await writeArchive(newer, one({ ...head, migrations: [...migrationNames(), '9999_later.sql'] }))
    const refused = await commandOn(to, newPath(), 'restore', newer)
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('9999_later.sql')])
    const old = { connection: await formerDatabase('0029') }
    const { store, reached, goOn } = slowStore()
    const backingUp = backUp(old.connection, { store, secret }, older)
    await reached
    const migrating = migrate(old.connection) // as a newer version does that starts, and writes tables anew
    const waits = `select from pg_locks l join pg_database d on d.oid = l.database
      where datname = current_database() and locktype = 'advisory' and not granted`
    while ((await askPastWalls(old, waits)).length === 0) await sleep(1)
    goOn()
    expect(await backingUp).toMatchObject({ files: 0, missing: 0 })
    const missing = migrationNames().filter((name) => name > '0030')
    expect(await migrating).toEqual(missing)
    const { code, stdout } = await commandOn(to, newPath(), 'restore', older)
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { migrated: missing }])
    expect((await everyRow(to.connection)).accounts).toHaveLength(1)
  })
  it('keeps no process of its version from starting', async () => {
    await withSnapshot(cell.connection, async () => expect(await migrate(cell.connection)).toEqual([]))
  })
  it('is of a cell that is there: none is made where DATA_DIR has none', async () => {
    const nowhere = newPath()
    for (const environment of [{}, { SECRET: DEMO_SECRET }]) {
      const { code, stderr } = await runHere(['backup', newPath()], nowhere, environment)
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${nowhere} contains no cell. Set DATA_DIR`)])
    }
    expect(existsSync(nowhere)).toBe(false)
  })
  it('asks for the secret that the cell had', async () => {
    const to = await emptyDatabase(cell.connection)
    const { DATABASE_URL } = environmentOf(to as TestCell)
    const other = await runHere(['restore', file], newPath(), { DATABASE_URL, SECRET: 'another'.repeat(5) })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('SECRET is another secret')])
    const kept = newPath()
    await backUp(cell.connection, { store: null, secret: { kept: 'k'.repeat(43) } }, kept)
    const given = await runHere(['restore', kept], newPath(), { DATABASE_URL, SECRET: 'another'.repeat(5) })
    expect([given.code, given.stderr]).toEqual([1, expect.stringContaining('the file secret in the old DATA_DIR')])
    expect(await tablesOf(to)).toBe(0)
  })
})

/** A store without files, which reports it only when told to. */
function slowStore() {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read = async () => {
    reached.resolve()
    await goOn.promise
    return null
  }
  const store: Pick<FileStore, 'read'> = { read }
  return { store: store as FileStore, reached: reached.promise, goOn: goOn.resolve }
}
async function* one(head: object) {
  yield { head }
}
const tablesOf = async (of: { connection: Connection }): Promise<number> =>
  (await askPastWalls(of, `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`)).length
const rowsOf = (batch: number) =>
  Array.from({ length: OPEN_ROWS }, (_, at) => ({ external_id: `${batch}-${at}`, name: `Customer ${at}` }))
