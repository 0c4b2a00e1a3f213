import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { migrationFiles, migrationSums } from '../../scripts/schema/migration-files.ts'
import { cloneDatabase } from '../harness/cell.ts'
import { askPastWalls } from '../harness/sql.ts'

describe('migrations that have landed', () => {
  const sums = readFileSync(join(import.meta.dirname, '../../migrations/SHA256SUMS'), 'utf8')
  const files = migrationFiles()

  it('are recorded with their checksums, as sha256sum writes them', () => {
    expect(migrationSums(sums)).toBe(sums)
    expect(sums.trimEnd().split('\n')).toEqual(
      files.map(({ name }) => expect.stringMatching(new RegExp(`^[0-9a-f]{64}  ${name}$`))),
    )
  })
  it('are not changed, removed or renamed; new ones are added, each with a number of its own', () => {
    const [{ name, sql }, ...others] = files as [(typeof files)[number], ...typeof files]
    const refused = `migrations/${name} has landed and may not change`
    expect(() => migrationSums(sums, [{ name, sql: `${sql} ` }, ...others])).toThrow(refused)
    expect(() => migrationSums(sums, others)).toThrow(refused)
    expect(() => migrationSums(sums, [{ name: `x${name}`, sql }, ...others])).toThrow(refused)
    const sameNumber = { name: `${name.slice(0, 4)}_other.sql`, sql }
    expect(() => migrationSums(sums, [...files, sameNumber])).toThrow('next free number')
    const added = migrationSums(sums, [...files, { name: '9999_new.sql', sql: 'select 1' }])
    expect([added.startsWith(sums), added.slice(sums.length)]).toEqual([
      true,
      expect.stringMatching(/ 9999_new\.sql\n$/),
    ])
  })
  it('have only comments in a file that is named so', () => {
    for (const { name, sql } of files.filter((file) => file.name.endsWith('_comments.sql'))) {
      const statements = sql
        .replaceAll(/'(?:[^']|'')*'/g, '')
        .replaceAll(/--.*$/gm, '')
        .split(';')
      const other = statements
        .map((one) => one.trim())
        .filter((one) => !/^(comment on |set local role |reset role$|$)/.test(one))
      expect([name, other]).toEqual([name, []])
    }
  })
})

describe('the comments in the database', () => {
  let database: { connection: Awaited<ReturnType<typeof cloneDatabase>> }
  beforeAll(async () => {
    database = { connection: await cloneDatabase() }
  })
  it('say of every table and view what it has', async () => {
    const silent = await askPastWalls(
      database,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and obj_description(oid, 'pg_class') is null`,
    )
    expect(silent, 'Add comment on table, or comment on view, to the migration').toEqual([])
  })
  it('say of every function and procedure what it does', async () => {
    const silent = await askPastWalls(
      database,
      `select proname from pg_proc p where pronamespace = 'public'::regnamespace and obj_description(oid, 'pg_proc') is null
         and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
    )
    expect(silent, 'Add comment on function, or comment on procedure, to the migration').toEqual([])
  })
})
