import type { SingleClient } from '../db/client.ts'
import { BadArchive } from './bad-archive.ts'

/** A table whose rows are stored in a file, with its columns except generated ones. */
export type BackupTable = { readonly name: string; readonly columns: readonly string[] }

/** Known by the migrations themselves; and by the numbers that the file has of them. */
const NOT_KEPT = `('migrations')`

/** Session settings for printing and reading values, independent of the server's; and no time limits. */
const SESSION = [
  'timezone = UTC',
  'datestyle = ISO',
  'intervalstyle = postgres',
  'bytea_output = hex',
  'extra_float_digits = 1',
  'client_encoding = UTF8',
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'transaction_timeout = 0',
]
  .map((setting) => `set ${setting};`)
  .join('')

export async function prepareSession(client: SingleClient): Promise<void> {
  await client.query(SESSION)
}

const tablesWhere = (condition: string): string => `
  select quote_ident(c.relname) as name, array_agg(quote_ident(a.attname) order by a.attnum)::text[] as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and ${condition}
  group by c.relname order by c.relname`

/** Every table of the cell, from the database catalogue, so that none is forgotten; except unlogged ones. */
export const listTables = async (client: SingleClient): Promise<BackupTable[]> =>
  (await client.query<BackupTable>(tablesWhere(`c.relname not in ${NOT_KEPT}`))).rows

/** Those of them that have rows of accounts. */
export const listAccountTables = async (client: SingleClient): Promise<BackupTable[]> =>
  (
    await client.query<BackupTable>(
      tablesWhere(`exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'account_id')`),
    )
  ).rows

/** Names and columns are put into SQL quoted, so those in a file must be those of the database. */
export function sameTable(
  known: ReadonlyMap<string, BackupTable>,
  { table, columns }: Readonly<Record<string, unknown>>,
): BackupTable {
  const found = known.get(String(table))
  if (found && JSON.stringify(found.columns) === JSON.stringify(columns)) return found
  throw new BadArchive(`The archive contains the table ${table}, which does not exist in its version.`)
}

export const tableColumns = ({ columns }: BackupTable): string => columns.join(', ')
