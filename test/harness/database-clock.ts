import { withClient } from '../../src/platform/db/client.ts'
import { cloneDatabase } from './cell.ts'

/**
 * A database for a cell whose `now()` a test can set. Whatever is called without a schema is looked for among the
 * test's own functions first.
 */
export async function clockedDatabase() {
  const connection = await cloneDatabase()
  const ask = (sql: string, values: unknown[] = []) =>
    withClient(connection, async (client) => void (await client.query(sql, values)))
  await ask(`create table test_clock (at timestamptz)`)
  await ask(`create function public.now() returns timestamptz language sql stable security definer
    as 'select coalesce((select at from public.test_clock), pg_catalog.now())'`)
  await ask(`alter database ${connection.database} set search_path = public, pg_catalog`)
  return {
    connection,
    /** Null for the time that it is. */
    set: (at: string | null) =>
      ask('with gone as (delete from public.test_clock) insert into public.test_clock (at) values ($1)', [at]),
  }
}
