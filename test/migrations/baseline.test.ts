import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportAccount } from '../../src/features/accounts/commands/move/export-account.ts'
import { importAccount } from '../../src/features/accounts/commands/move/import-account.ts'
import { backUp } from '../../src/platform/backup/back-up.ts'
import { secretThatIsSet } from '../../src/platform/backup/manifest.ts'
import { readManifest, restore } from '../../src/platform/backup/restore.ts'
import { type Connection, type SingleClient, withClient } from '../../src/platform/db/client.ts'
import { FOLDED } from '../../src/platform/db/folded-migrations.ts'
import { applyMigrations, makeMigrationsTable, migrate, migrationNames } from '../../src/platform/db/migrate.ts'
import type { FileStore } from '../../src/platform/files/file-store.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { catalogueOf } from '../harness/catalogue.ts'
import { cloneDatabase, startCell, uncounted } from '../harness/cell.ts'
import { everyRow } from '../harness/every-row.ts'
import { formerDatabase, isBaseline } from '../harness/former-database.ts'
import { temporaryFolder } from '../harness/process.ts'
import { askPastWalls } from '../harness/sql.ts'

/** The states of databases of former versions, by their last migration, and the migrations applied to each. */
const FORMER = ['0026', '0029', '0034'].map((last) => ({
  last,
  missing: migrationNames().filter((name) => !isBaseline(name) && name.slice(0, 4) > last),
}))
const LAST = migrationNames().at(-1)?.slice(0, 4) ?? ''
const RECORDED = [...FOLDED, ...migrationNames()].sort()
/** Their backups have no files. */
const NO_STORE = {} as FileStore
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let fresh: Connection
beforeAll(async () => {
  fresh = await cloneDatabase()
})
const catalogue = (connection: Connection) => withClient(connection, catalogueOf)
const recorded = async (connection: Connection) =>
  (await askPastWalls<{ name: string }>({ connection }, 'select name from migrations')).map(({ name }) => name).sort()

describe('the baseline', () => {
  it('makes the tables, functions and grants that the migrations it replaces made', async () => {
    const connection = await cloneDatabase('template0')
    const made = await withClient(connection, async (client) => {
      await makeMigrationsTable(client)
      await applyMigrations(client, migrationNames().filter(isBaseline))
      return catalogueOf(client)
    })
    const digests = Object.entries(made).map(([object, lines]) => [
      object,
      createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
    ])
    // Made by the replaced migrations, before they were replaced.
    const replaced = JSON.parse(readFileSync(join(import.meta.dirname, 'folded-catalogue.json'), 'utf8'))
    expect(Object.fromEntries(digests)).toEqual(replaced)
  })
  it('is recorded by its own names and by those that it replaces, which a program of a former version looks for', async () => {
    expect(await recorded(fresh)).toEqual(RECORDED)
  })
})

describe.each(FORMER)('a database of a former version at $last', ({ last, missing }) => {
  it('is migrated further, once, by any number of processes', async () => {
    const connection = await formerDatabase(last)
    const rows = (await everyRow(connection)).files
    const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(connection)))
    expect(applied.flat()).toEqual(missing)
    expect(await recorded(connection)).toEqual(RECORDED)
    expect(await catalogue(connection)).toEqual(await catalogue(fresh))
    expect((await everyRow(connection)).files).toEqual(rows)
  })
})

describe('a backup with the names of a former version', () => {
  const backedUp = async (last: string) => {
    const path = join(folder, `${last}.backup`)
    const secret = secretThatIsSet('s'.repeat(32))
    await backUp(await formerDatabase(last), { store: null, secret }, path)
    const manifest = await readManifest(path)
    expect(manifest.migrations.filter(isBaseline)).toEqual([])
    return { path, manifest }
  }
  it.each(FORMER.slice(0, 1))('at $last is restored, and brought up to date', async ({ last, missing }) => {
    const { path, manifest } = await backedUp(last)
    const to = await cloneDatabase('template0')
    expect(await restore(to, NO_STORE, path, manifest)).toMatchObject({ migrated: missing })
    expect(await recorded(to)).toEqual(RECORDED)
    expect(await catalogue(to)).toEqual(await catalogue(fresh))
    expect((await everyRow(to)).accounts).toHaveLength(1)
  })
  it('and the same tables is restored into tables that are there, and empty', async () => {
    const { path, manifest } = await backedUp(LAST)
    const to = await cloneDatabase()
    expect(await restore(to, NO_STORE, path, manifest)).toMatchObject({ migrated: [] })
    expect((await everyRow(to)).accounts).toHaveLength(1)
  })
})

describe('an account exported with the names of a former version', () => {
  const passphrase = 'a passphrase of the move'
  const asFormer = (migrations: readonly string[]) => (client: SingleClient) =>
    client.query('delete from migrations where not (name = any($1))', [migrations])
  const exported = async (migrations: readonly string[], name: string) => {
    const from = await startCell({ deps: { count: uncounted } })
    const { number, key } = await makeAgency(from)
    await withClient(from.connection, asFormer(migrations))
    const path = join(folder, name)
    await exportAccount(from.deps, from.connection, { account: number, path, passphrase }, OPERATOR)
    return { path, key }
  }
  const sameTables = RECORDED.filter((name) => !isBaseline(name) && !name.endsWith('_comments.sql'))

  it('and the same tables is taken in', async () => {
    const { path, key } = await exported(sameTables, 'former.account')
    const to = await startCell({ deps: { count: uncounted } })
    await importAccount(to.deps, to.connection, { path, passphrase }, OPERATOR)
    expect((await to.call('GET', '/me', { key })).status).toBe(200)
  })
  it('and other tables is refused', async () => {
    const { path } = await exported(sameTables.slice(0, -1), 'other.account')
    const to = await startCell({ deps: { count: uncounted } })
    const taken = importAccount(to.deps, to.connection, { path, passphrase }, OPERATOR)
    await expect(taken).rejects.toThrow('by another version of Backdesk')
  })
})

describe('a version that is too old', () => {
  const told = /is at 0014_\S+\.sql, and this version .* needs 0026_moved_accounts\.sql or later\. .*Start a version/
  it('has databases that are left as they are, with instructions', async () => {
    const connection = await formerDatabase('0014')
    await expect(migrate(connection)).rejects.toThrow(told)
    expect(await recorded(connection)).toEqual(FOLDED.slice(0, 14))
  })
  it('has backups that are refused in the same way', async () => {
    const connection = await formerDatabase('0014')
    const path = join(folder, 'old.backup')
    await backUp(connection, { store: null, secret: secretThatIsSet('s'.repeat(32)) }, path)
    await expect(readManifest(path)).rejects.toThrow(told)
  })
})
