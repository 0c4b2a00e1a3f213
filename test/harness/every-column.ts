import type { TestCell } from './cell.ts'
import { askPastWalls } from './sql.ts'

type Column = { table: string; column: string; type: string }

/** The columns of the whole database that contain one of these texts, as `table.column`: found in its catalogue. */
export async function holdersOf(cell: Pick<TestCell, 'connection'>, texts: readonly string[]): Promise<string[]> {
  const columns = await askPastWalls<Column>(
    cell,
    `select c.relname as table, a.attname as column, t.typname as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and t.typname in ('text', 'varchar', 'bpchar', 'citext', 'json', 'jsonb', 'bytea', '_text', '_bytea', '_json', '_jsonb')
     order by 1, 2`,
  )
  const holds = ({ table, column, type }: Column) => `
    select '${table}.${column}' as holder where exists (select from ${table}, unnest($1::text[]) as wanted
      where position(lower(wanted) in lower(${type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`})) > 0)`
  const found = await askPastWalls<{ holder: string }>(cell, columns.map(holds).join(' union all '), [texts])
  return found.map(({ holder }) => holder).toSorted()
}
