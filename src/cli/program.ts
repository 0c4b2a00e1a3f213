import { Command } from 'commander'
import { runCommandLine } from '#client/run-command-line.ts'
import { VERSION } from '../version.ts'
import { failureOf } from './failure.ts'

/** The commands by their names, in the order of the help. One is loaded when it is chosen: to load all takes a second. */
const COMMANDS: ReadonlyMap<string, () => Promise<(program: Command) => void>> = new Map([
  ['serve', async () => (await import('./serve.ts')).registerServe],
  ['worker', async () => (await import('./worker.ts')).registerWorker],
  ['migrate', async () => (await import('./migrate.ts')).registerMigrate],
  ['backup', async () => (await import('./backup.ts')).registerBackup],
  ['restore', async () => (await import('./backup.ts')).registerRestore],
  ['secret', async () => (await import('./secret.ts')).registerSecret],
  ['demo', async () => (await import('./demo.ts')).registerDemo],
  ['account', async () => (await import('./accounts.ts')).registerAccounts],
  ['company', async () => (await import('./companies.ts')).registerCompanies],
  ['branch', async () => (await import('./branches.ts')).registerBranches],
  ['seat', async () => (await import('./seats.ts')).registerSeats],
  ['session', async () => (await import('./sessions.ts')).registerSessions],
  ['role', async () => (await import('./roles.ts')).registerRoles],
  ['customer', async () => (await import('./customers.ts')).registerCustomers],
  ['tag', async () => (await import('./tags.ts')).registerTags],
  ['audit', async () => (await import('./audit.ts')).registerAudit],
  ['key', async () => (await import('./keys.ts')).registerKeys],
  ['import', async () => (await import('#client/commands/import.ts')).registerImport],
  ['agent', async () => (await import('#client/commands/agent.ts')).registerAgent],
  ['batches', async () => (await import('#client/commands/batches.ts')).registerBatches],
  ['record', async () => (await import('./records.ts')).registerRecords],
  ['ticket', async () => (await import('./tickets.ts')).registerTickets],
  ['trip', async () => (await import('./trips.ts')).registerTrips],
  ['referral', async () => (await import('./referrals.ts')).registerReferrals],
  ['survey', async () => (await import('./surveys.ts')).registerSurveys],
  ['gesture', async () => (await import('./gestures.ts')).registerGestures],
  ['template', async () => (await import('./templates.ts')).registerTemplates],
  ['mail', async () => (await import('./mail.ts')).registerMail],
  ['message', async () => (await import('./messages.ts')).registerMessages],
  ['invoice', async () => (await import('./documents.ts')).registerDocuments],
  ['report', async () => (await import('./reports.ts')).registerReports],
  ['rates', async () => (await import('./rates.ts')).registerRates],
  ['bsp', async () => (await import('./bsp.ts')).registerBsp],
  ['webhooks', async () => (await import('./webhooks.ts')).registerWebhooks],
])

/** The command of this name; all commands without one. */
export async function loadProgram(name = ''): Promise<Command> {
  const program = new Command('npx backdesk')
    .description('The back office of travel agencies as a JSON API.')
    .version(VERSION)
    .exitOverride()
  const chosen = COMMANDS.get(name)
  for (const load of chosen ? [chosen] : COMMANDS.values()) (await load())(program)
  return program
}

/** The command line: runs a command and returns the exit code. */
export const runProgram = (args: readonly string[]): Promise<number> => runCommandLine(loadProgram, args, failureOf)
