import { listTables } from '../../src/platform/backup/tables.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'

/** Every row of every table of a database, as text and in order; `without` names columns that may differ. */
export const everyRow = (
  connection: Connection,
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, string[]>> =>
  withClient({ ...connection, user: 'postgres' }, async (client) => {
    await client.query('set timezone = UTC')
    const found: Record<string, string[]> = {}
    for (const { name, columns } of await listTables(client)) {
      const shown = columns.filter((column) => !without[name]?.includes(column))
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from (select ${shown.join(', ')} from ${name}) t order by 1`,
      )
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })
