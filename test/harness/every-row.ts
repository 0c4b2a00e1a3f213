import { type Connection, withClient } from '../../src/platform/db/client.ts'

/** Data that a backup excludes: the migrations' own, and unlogged tables. */
const NOT_KEPT = ['migrations', 'rate_windows']

/** Every row of every table of a database, as text and in order; `without` names columns that may differ. */
export const everyRow = (
  connection: Connection,
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, string[]>> =>
  withClient({ ...connection, user: 'postgres' }, async (client) => {
    await client.query('set timezone = UTC')
    // Not taken from the program's list, so that a forgotten table is detected.
    const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
      select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.tables join information_schema.columns using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name order by table_name`)
    const found: Record<string, string[]> = {}
    for (const { name, columns } of tables.filter((table) => !NOT_KEPT.includes(table.name))) {
      const shown = columns.filter((column) => !without[name]?.includes(column)).map((column) => `"${column}"`)
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from (select ${shown.join(', ')} from "${name}") t order by 1`,
      )
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })
