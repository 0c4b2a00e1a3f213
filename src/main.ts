import { Command, CommanderError } from 'commander'
import { registerAccounts } from './cli/accounts.ts'
import { registerDemo } from './cli/demo.ts'
import { registerImport } from './cli/import-file.ts'
import { registerKeys } from './cli/keys.ts'
import { registerMigrate } from './cli/migrate.ts'
import { registerServe } from './cli/serve.ts'
import { registerWorker } from './cli/worker.ts'

process.env.TZ = 'UTC'
const program = new Command('backdesk')
  .description('The back office of travel agencies as a JSON API.')
  .version('1.0.0')
  .exitOverride()
for (const register of [
  registerServe,
  registerWorker,
  registerMigrate,
  registerDemo,
  registerAccounts,
  registerKeys,
  registerImport,
]) {
  register(program)
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode)
  const message = error instanceof Error ? error.message : String(error)
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message })}\n`)
  else process.stderr.write(`backdesk: ${message}\n`)
  process.exit(1)
}
