import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { FOLDED } from '../../src/platform/db/folded-migrations.ts'
import { applyMigrations, makeMigrationsTable, migrationNames } from '../../src/platform/db/migrate.ts'
import { cloneDatabase } from './cell.ts'

export const isBaseline = (name: string): boolean => name.includes('_baseline_')

/**
 * A database with an account, as a version left it that did not have the baseline yet, and ended with the migration that
 * begins with `last`. baseline.test.ts compares the tables that the baseline makes with those that its migrations made.
 */
export async function formerDatabase(last: string): Promise<Connection> {
  const isLater = (name: string) => name.slice(0, last.length) > last
  const connection = await cloneDatabase('template0')
  await withClient(connection, async (client) => {
    await makeMigrationsTable(client)
    const names = migrationNames().filter((name) => isBaseline(name) || !isLater(name))
    await applyMigrations(client, names)
    const notYet = [...names.filter(isBaseline), ...FOLDED.filter(isLater)]
    await client.query('delete from migrations where name = any($1)', [notYet])
    await client.query('set role backdesk_system')
    await client.query(
      `insert into accounts (account_id, name, plan, time_zone) values (20000000, 'A', 'growth', 'UTC');
       insert into files (account_id, filename, content_type, byte_size) values (20000000, 'a.pdf', 'application/pdf', 1)`,
    )
  })
  return connection
}
