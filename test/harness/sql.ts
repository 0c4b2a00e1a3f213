import { Pool } from 'pg'
import type { Connection } from '../../src/platform/db/client.ts'
import { atEnd } from './at-end.ts'
import type { TestCell } from './cell.ts'

/** Connections are kept until the test file ends, because connecting takes longer than most queries. */
function kept(more: object) {
  const pools = new WeakMap<Connection, Pool>()
  return ({ connection }: Pick<TestCell, 'connection'>): Pool => {
    const known = pools.get(connection)
    if (known) return known
    const pool = new Pool({ ...connection, application_name: 'a test', max: 4, ...more })
    pool.on('error', () => {}) // some tests take the server away
    pools.set(connection, pool)
    atEnd(() => pool.end())
    return pool
  }
}
const ofSystem = kept({ options: '-c role=backdesk_system' })
const ofSuperuser = kept({ user: 'postgres' })

/** Asks a cell's database, whatever account it is about. */
export const ask = async <T>(cell: Pick<TestCell, 'connection'>, sql: string, values: unknown[] = []): Promise<T[]> =>
  (await ofSystem(cell).query(sql, values)).rows

/** As a superuser, past the walls. */
export const askPastWalls = async <T>(
  cell: Pick<TestCell, 'connection'>,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> => (await ofSuperuser(cell).query(sql, values)).rows

/**
 * Makes each statement of a kind on a table so slow that who works on it is stopped long before its end, however busy the
 * machine is. Answers how to end that.
 */
export async function dawdle(
  cell: Pick<TestCell, 'connection'>,
  after: 'insert' | 'update',
  table: string,
  seconds: number,
): Promise<() => Promise<unknown>> {
  await askPastWalls(
    cell,
    `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(${seconds}); return null; end $$;
     create trigger dawdle after ${after} on ${table} for each statement execute function dawdle()`,
  )
  return () => askPastWalls(cell, 'drop function dawdle cascade')
}
