import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, withClient } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')

/** Applies what is missing, each file in its own transaction, one process at a time. Answers the names applied. */
export function migrate(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('backdesk migrate'))`)
    const { rows: version } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::integer as number`,
    )
    if ((version[0]?.number ?? 0) < 180_000) throw new Error('Backdesk needs PostgreSQL 18 or newer.')
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map(({ name }) => name))
    const missing = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.sql') && !applied.has(name))
      .sort()
    for (const name of missing) {
      await client.query('begin')
      await client.query(readFileSync(join(FOLDER, name), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    }
    return missing
  })
}
