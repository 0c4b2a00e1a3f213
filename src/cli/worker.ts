import type { Command } from 'commander'
import { startBackground } from '../background.ts'
import { openCell } from '../cell.ts'
import { readConfig } from '../config.ts'
import { openLog } from '../platform/open-log.ts'
import { serveOperations } from './serve-operations.ts'
import { started, stopOnSignals } from './stopping.ts'

export function registerWorker(program: Command): void {
  program
    .command('worker')
    .description('run only the background work, beside other processes of the cell')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env)
      const log = openLog(config.logLevel)
      const cell = await openCell(config, log)
      const all = started()
      all.push(cell.close)
      stopOnSignals(all, log)
      try {
        const stopping = new AbortController()
        await serveOperations(cell.deps, stopping.signal, all)
        all.push(startBackground(cell.deps))
        all.push(async () => stopping.abort())
      } catch (error) {
        await all.stop()
        throw error
      }
      process.stdout.write(
        json ? `${JSON.stringify({ working: true })}\n` : 'The worker is running. Press Ctrl-C to stop.\n',
      )
    })
}
