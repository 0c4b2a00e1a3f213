import { Command, CommanderError } from 'commander'
import { registerAccounts } from './accounts.ts'
import { registerAgent } from './agent.ts'
import { registerBatches } from './batches.ts'
import { registerBranches } from './branches.ts'
import { registerCompanies } from './companies.ts'
import { registerDemo } from './demo.ts'
import { registerDocuments } from './documents.ts'
import { ImportError } from './import/import-error.ts'
import { registerImport } from './import.ts'
import { registerKeys } from './keys.ts'
import { registerMail } from './mail.ts'
import { registerMessages } from './messages.ts'
import { registerMigrate } from './migrate.ts'
import { registerRates } from './rates.ts'
import { registerRecords } from './records.ts'
import { registerRoles } from './roles.ts'
import { registerSeats } from './seats.ts'
import { registerServe } from './serve.ts'
import { registerTags } from './tags.ts'
import { registerTemplates } from './templates.ts'
import { registerTickets } from './tickets.ts'
import { registerTrips } from './trips.ts'
import { registerWebhooks } from './webhooks.ts'
import { registerWorker } from './worker.ts'

const COMMANDS = [
  registerServe,
  registerWorker,
  registerMigrate,
  registerDemo,
  registerAccounts,
  registerCompanies,
  registerBranches,
  registerSeats,
  registerRoles,
  registerTags,
  registerKeys,
  registerImport,
  registerAgent,
  registerBatches,
  registerRecords,
  registerTickets,
  registerTrips,
  registerTemplates,
  registerMail,
  registerMessages,
  registerDocuments,
  registerRates,
  registerWebhooks,
]

/** The command line: reads the arguments of the process, and sets its exit code. */
export async function runProgram(): Promise<void> {
  const program = new Command('backdesk')
    .description('The back office of travel agencies as a JSON API.')
    .version('1.0.0')
    .exitOverride()
  for (const register of COMMANDS) register(program)
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode)
    const message = error instanceof Error ? error.message : String(error)
    if (process.argv.includes('--json'))
      process.stdout.write(`${JSON.stringify({ error: message, ...codeOf(error) })}\n`)
    else process.stderr.write(`backdesk: ${message}\n`)
    process.exit(1)
  }
}

/** The code of what the command refused for itself; what the system says in codes is in its words. */
const codeOf = (error: unknown): { code?: string } => (error instanceof ImportError ? { code: error.code } : {})
