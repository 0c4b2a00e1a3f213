import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { keepAddress } from '#client/cell-address.ts'
import { type Demo, demoIsWanted, makeDemo } from '../../demo/make-demo.ts'
import { buildApp } from '../app.ts'
import { startBackground } from '../background.ts'
import { type Cell, openCell } from '../cell.ts'
import { type Config, readConfig } from '../config.ts'
import { acquireLock } from '../platform/db/lock.ts'
import { type Doors, openDoors } from '../platform/http/doors.ts'
import type { Log } from '../platform/log.ts'
import { outboxFolder } from '../platform/mail/open-mail.ts'
import { openLog } from '../platform/open-log.ts'
import { UserError } from '../platform/user-error.ts'
import { findDemo, keepDemo } from './data-files.ts'
import { demoPages, demoText } from './demo.ts'
import { serveOperations } from './serve-operations.ts'
import { type StartedWork, started, stopOnSignals } from './stopping.ts'

/** Another process of the same data folder may take this long to go. */
const WAIT_FOR_OTHER_MS = 5_000
/** How long requests may take to end once the cell does not listen any more; the database needs the rest of ten seconds. */
const DRAIN_MS = 6_000

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('start the cell: the API, its own PostgreSQL unless DATABASE_URL is set, and the background work')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(process.env)
      const log = openLog(config.logLevel)
      const all = started()
      try {
        const cell = await openCell(config, log)
        all.push(cell.close)
        stopOnSignals(all, log, config.stopGraceS)
        if (config.databaseUrl === null) await serveAlone(cell, all)
        all.push(startBackground(cell.deps)) // stops after the last request, whose key it notes
        const stopping = new AbortController()
        await serveOperations(cell.deps, stopping.signal, all)
        const url = await listen(buildApp(cell.deps, stopping.signal), config, all)
        all.push(() => announceStop(stopping, config.stopGraceS))
        const demo = config.databaseUrl === null && (await demoIsWanted(cell.deps)) ? await makeDemo(cell.deps) : null
        if (demo) keepDemo(config.dataDir, demo)
        process.stdout.write(
          json ? `${JSON.stringify({ url, demo })}\n` : startText(url, demo, config) + outboxText(config, log),
        )
      } catch (error) {
        await all.stop()
        throw error
      }
    })
}

/** Requests are counted in the memory of the one process that serves a data folder. */
async function serveAlone({ connection, deps }: Cell, all: StartedWork): Promise<void> {
  const lock = await acquireLock(connection, 'serve', WAIT_FOR_OTHER_MS)
  if (lock) return all.push(lock.release)
  throw new UserError(
    'invalid_configuration',
    `Another process is serving ${deps.config.dataDir}. Stop it, choose another DATA_DIR, or run several processes on one DATABASE_URL.`,
  )
}

/** The load balancer is informed first, and clients are asked to reconnect, while requests are still answered. */
async function announceStop(stopping: AbortController, graceS: number): Promise<void> {
  stopping.abort()
  await sleep(graceS * 1000)
}

/** Answers where clients reach the cell. */
async function listen(app: FastifyInstance, config: Config, all: StartedWork): Promise<string> {
  const { port, host, publicUrl, dataDir, databaseUrl } = config
  let doors: Doors | null = null
  all.push(async () => {
    const forced = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    await Promise.all([app.close(), doors?.close()])
    clearTimeout(forced)
  })
  doors = await openDoors(app, { port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new UserError(
      'invalid_configuration',
      `Port ${port} is in use. Stop the program that uses it, or choose another port: PORT=3001 npm start`,
    )
  })
  if (databaseUrl === null) {
    const forget = keepAddress(dataDir, `http://${dialed(host)}:${doors.port}`)
    all.push(async () => forget())
  }
  return port === 0 ? `http://localhost:${doors.port}` : publicUrl
}

/** The host by which this machine reaches what listens on it. */
function dialed(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

function startText(url: string, demo: Demo | null, { dataDir, databaseUrl }: Config): string {
  const where = `\nBackdesk is running at ${url}  (reference: ${url}/docs, OpenAPI: ${url}/openapi.json)\n`
  if (demo) return `${where}\n${demoText(demo, url)}\n`
  const known = databaseUrl === null ? findDemo(dataDir) : null
  const account = known ? String(known.account.id) : '<number>'
  return [
    where,
    ...(known ? [`Demo agency ${known.name}, account ${account}.`, '', demoPages(known, url)] : []),
    'To sign in to the console:',
    '',
    `  npx backdesk seat link <e-mail> --account ${account}`,
    '',
    'An API key is shown only when it is created. To create another:',
    '',
    ...(known ? [] : ['  npx backdesk account list']),
    `  npx backdesk key create --account ${account} --name "My integration" --scopes full`,
    '\n',
  ].join('\n')
}

/** Warns that no mail is sent. */
function outboxText(config: Config, log: Log): string {
  const outbox = outboxFolder(config)
  if (outbox === null) return ''
  log.info({ outbox }, 'SMTP_URL is not set; writing e-mails to a folder')
  return `SMTP_URL is not set. E-mails are written to ${outbox} instead of being sent.\n\n`
}
