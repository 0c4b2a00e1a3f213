import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../platform/db/migrate.ts'
import { withDatabase } from './with-database.ts'

export function registerMigrate(program: Command): void {
  objectCommand(
    program.command('migrate').description('apply pending migrations to the database (serve also does this)'),
    () => withDatabase(readConfig(process.env), async (connection) => ({ applied: await migrate(connection) })),
    ({ applied }: { applied: string[] }) =>
      applied.length > 0 ? `Applied the migrations ${applied.join(', ')}.` : 'The database is up to date.',
  )
}
