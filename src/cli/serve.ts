import type { Command } from 'commander'
import { buildApp } from '../app.ts'
import { type Cell, openCell } from '../cell.ts'
import { readConfig } from '../config.ts'
import { type Demo, demoIsWanted, makeDemo } from '../demo/make-demo.ts'
import { keepHouse } from '../housekeeping.ts'
import { holdLock } from '../platform/db/lock.ts'
import { openLog } from './command.ts'
import { tellDemo } from './demo.ts'

/** Another process of the same data folder may take this long to go. */
const WAIT_FOR_OTHER_MS = 5_000
const DRAIN_MS = 8_000

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('start the cell: the API, its own PostgreSQL unless DATABASE_URL is set, and the background work')
    .option('--json', 'answer with one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env)
      const log = openLog(config.logLevel)
      const cell = await openCell(config, log)
      try {
        const lock = config.databaseUrl === null ? await serveAlone(cell) : null
        const demo = config.databaseUrl === null && (await demoIsWanted(cell.deps)) ? await makeDemo(cell.deps) : null
        const app = buildApp(cell.deps)
        await app.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EADDRINUSE') throw error
          throw new Error(`Port ${config.port} is taken. Stop what uses it, or choose another: PORT=3001 npm start`)
        })
        const stopHousekeeping = keepHouse(cell.deps)
        const address = app.server.address()
        const port = typeof address === 'object' && address ? address.port : config.port
        const url = config.port === port ? config.publicUrl : `http://localhost:${port}`
        process.stdout.write(json ? `${JSON.stringify({ url, demo })}\n` : tellStart(url, demo))
        stopOnSignals(async () => {
          const forced = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
          await app.close()
          clearTimeout(forced)
          await stopHousekeeping()
          await lock?.release()
          await cell.close()
        }, log)
      } catch (error) {
        await cell.close()
        throw error
      }
    })
}

/** Requests are counted in the memory of the one process that serves a data folder. */
async function serveAlone({ connection, deps }: Cell) {
  const lock = await holdLock(connection, 'serve', WAIT_FOR_OTHER_MS)
  if (lock) return lock
  throw new Error(`Another process serves ${deps.config.dataDir}. Stop it, choose another DATA_DIR, or run several processes on one DATABASE_URL.`)
}

function stopOnSignals(stop: () => Promise<void>, log: ReturnType<typeof openLog>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      log.info({ signal }, 'stopping')
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly')
          process.exit(1)
        },
      )
    })
  }
}

function tellStart(url: string, demo: Demo | null): string {
  const where = `\nBackdesk is at ${url}  (reference: ${url}/docs, OpenAPI: ${url}/openapi.json)\n`
  if (demo) return `${where}\n${tellDemo(demo, url)}\n`
  return `${where}\nThe keys were printed when they were made. For another one:\n  npx backdesk account list\n  npx backdesk key create --account <number> --name "My integration" --scopes full\n\n`
}
