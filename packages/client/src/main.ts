import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { registerAgent } from './commands/agent.ts'
import { registerBatches } from './commands/batches.ts'
import { registerImport } from './commands/import.ts'
import { runCommandLine } from './run-command-line.ts'

process.env.TZ = 'UTC'
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const code = await runCommandLine(async () => {
  const program = new Command('backdesk-client')
    .description('Imports files into Backdesk, and sends it ticket files, from a computer without it.')
    .version(version)
    .exitOverride()
  for (const register of [registerImport, registerAgent, registerBatches]) register(program)
  return program
}, process.argv.slice(2))
if (code !== 0) process.exit(code)
