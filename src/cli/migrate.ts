import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { migrate } from '../platform/db/migrate.ts'
import { answering } from './command.ts'
import { withDatabase } from './with-database.ts'

export function registerMigrate(program: Command): void {
  answering(
    program.command('migrate').description('bring the database up to date (serve does it too)'),
    () => withDatabase(readConfig(process.env), async (connection) => ({ applied: await migrate(connection) })),
    ({ applied }: { applied: string[] }) => (applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to do.'),
  )
}
