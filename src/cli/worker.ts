import type { Command } from 'commander'
import { openCell } from '../cell.ts'
import { readConfig } from '../config.ts'
import { keepHouse } from '../housekeeping.ts'
import { openLog } from './command.ts'

export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('run the background work alone, beside other processes of the cell')
    .option('--json', 'answer with one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env)
      const cell = await openCell(config, openLog(config.logLevel))
      const stopHousekeeping = keepHouse(cell.deps)
      process.stdout.write(json ? `${JSON.stringify({ working: true })}\n` : 'Working. Stop with Ctrl-C.\n')
      const stop = async () => {
        await stopHousekeeping()
        await cell.close()
        process.exit(0)
      }
      process.once('SIGINT', stop)
      process.once('SIGTERM', stop)
    })
}
