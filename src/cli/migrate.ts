import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { joinServer } from '../platform/db/embedded/join-server.ts'
import { migrate } from '../platform/db/migrate.ts'
import { answering } from './command.ts'

export function registerMigrate(program: Command): void {
  answering(
    program.command('migrate').description('bring the database up to date (serve does it too)'),
    async () => {
      const { databaseUrl, dataDir } = readConfig(process.env)
      if (databaseUrl !== null) return { applied: await migrate({ connectionString: databaseUrl }) }
      const server = await joinServer(dataDir)
      try {
        return { applied: await migrate(server.connection) }
      } finally {
        await server.leave()
      }
    },
    ({ applied }: { applied: string[] }) => (applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to do.'),
  )
}
