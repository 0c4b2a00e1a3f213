import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { identityTable } from '../../src/catalogue/columns.ts'
import type { Entity } from '../../src/catalogue/entity.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import { entities } from '../../src/registry.ts'
import { FUNCTIONS_THAT_WRITE, TABLE_OWNERS, WRITES_TABLES_OF_OTHERS } from '../../src/table-owners.ts'
import { singleClient } from '../harness/cell.ts'
import { entityOf, makeEveryStatement, ROOT, sources } from '../harness/every-statement.ts'
import { writtenBy } from '../harness/written-tables.ts'

/** Before everything that is imported, and that another file has imported, since it notes what modules make. */
const watched = await vi.hoisted(() => {
  vi.resetModules()
  return import('../harness/watch-statements.ts')
})

const ownerOf = new Map(
  Object.entries(TABLE_OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table as string, owner] as const)),
)
const OWNER_HINT = 'List every table once in src/table-owners.ts, under the folder whose statements write it'
const isIn = (file: string, folder: string) => file.startsWith(`${folder}/`)
const isExcused = (site: string) => Object.keys(WRITES_TABLES_OF_OTHERS).some((folder) => isIn(site, folder))

let client: Client
beforeAll(async () => {
  await makeEveryStatement(watched)
  client = await singleClient()
  await client.query('set role backdesk_system') // the owner of the tables sees no row, so its plans are empty
})
afterAll(() => client.end())

/** Statements that write, where they were made, and the tables that they write. */
const writes: { one: Statement; site: string; tables: readonly string[] }[] = []
beforeAll(async () => {
  for (const [one, site] of watched.made) {
    const tables = await writtenBy(client, one.text)
    if (tables.length > 0) writes.push({ one, site, tables })
  }
}, 120_000)

describe('the owners of tables', () => {
  it('are folders of the program, and own every table of the database once', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    expect(Object.values(TABLE_OWNERS).flat().toSorted(), OWNER_HINT).toEqual(rows.map(({ name }) => name).toSorted())
    expect(Object.keys(TABLE_OWNERS).filter((owner) => !existsSync(join(ROOT, 'src', owner)))).toEqual([])
    expect(Object.keys(WRITES_TABLES_OF_OTHERS).filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([])
  })
  it('alone write them', () => {
    const byOthers = writes
      .filter(({ one, site }) => !entityOf.has(one) && !isExcused(site))
      .flatMap(({ site, tables }) =>
        tables.flatMap((table) =>
          !ownerOf.has(table) || isIn(site, `src/${ownerOf.get(table)}`)
            ? [] // a table without an owner fails above
            : [`${site} writes ${table} of ${ownerOf.get(table)}`],
        ),
      )
    expect(writes.length).toBeGreaterThan(200)
    expect([...new Set(byOthers)], 'Move the statement to the owner of the table, and call its command').toEqual([])
  })
  it('declare the entities whose rows the import engine writes, and it writes nothing else', () => {
    const fileOf = ({ key }: Entity) =>
      sources.find((file) => file.endsWith(`/${key.replaceAll('_', '-')}.entity.ts`)) as string
    for (const { entity } of entities) {
      const theirs = [entity.table, identityTable(entity), ...(entity.child ? [entity.child.table] : [])]
      const owners = theirs.flatMap((table) => ownerOf.get(table) ?? [])
      expect(
        owners.filter((owner) => !isIn(fileOf(entity), `src/${owner}`)),
        `Declare ${entity.key} in the folder that owns its tables`,
      ).toEqual([])
      const engine = writes.filter(({ one }) => entityOf.get(one) === entity)
      expect(new Set(engine.flatMap(({ tables }) => tables))).toEqual(new Set(theirs))
    }
  })
  it('cannot be bypassed: only named mechanisms send SQL without a statement', () => {
    const raw = sources.filter((file) => /\b(client|session)\.query\(|\bcopy(Into|From|To|Out|In)\(/.test(textOf(file)))
    const named = ['src/platform/db', ...Object.keys(WRITES_TABLES_OF_OTHERS)]
    expect(raw.filter((file) => !named.some((folder) => isIn(file, folder)))).toEqual([])
  })
  it('know the functions of the database that write', async () => {
    const { rows } = await client.query<{ name: string; body: string }>(
      `select proname as name, coalesce(prosrc, '') as body from pg_proc p where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    const found = rows.flatMap(({ name, body }) => {
      const written = [...body.matchAll(/\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(\w+)/gi)]
      const tables = [...new Set(written.map(([, table]) => table as string))].filter((table) => ownerOf.has(table))
      return tables.length > 0 ? [[name, tables.toSorted()] as const] : []
    })
    const declared = Object.entries(FUNCTIONS_THAT_WRITE).map(([name, { writes }]) => [name, [...writes]] as const)
    const hint = 'List in FUNCTIONS_THAT_WRITE of src/table-owners.ts what each function writes, and why'
    expect(Object.fromEntries(found), hint).toEqual(Object.fromEntries(declared))
  })
})

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
