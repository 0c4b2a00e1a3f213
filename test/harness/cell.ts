import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { type CellKeys, cellKeys, type Deps, depsOf } from '../../src/deps.ts'
import { keyWraps } from '../../src/platform/cell-key.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { openCellKey } from '../../src/platform/db/open-cell-key.ts'
import { countInMemory, type RequestCounter } from '../../src/platform/http/rate-limit.ts'
import type { Log } from '../../src/platform/log.ts'
import { openLog } from '../../src/platform/open-log.ts'
import { followUpsOf } from '../../src/registry.ts'
import { atEnd } from './at-end.ts'
import { checkAgainstDocument } from './document.ts'

export type Answer = {
  readonly status: number
  readonly body: never
  readonly text: string
  readonly headers: Record<string, string>
}
export type Call = {
  readonly key?: string | null
  /** The value of the browser's cookie, for paths below `/app/v1`. */
  readonly session?: string | null
  readonly body?: unknown
  /** The raw body, instead of `body` as JSON. */
  readonly raw?: string | Buffer
  /** Those that are undefined are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}
export type TestCell = {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly connection: Connection
  readonly keys: CellKeys
  /** The same text with the values opened that an account sealed. */
  opened(account: number, text: string): string
  /** Moves the cell's clock. */
  readonly clock: { add(ms: number): void; set(epochMs: number): void }
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Before the test file ends, which does it as well. */
  close(): Promise<void>
}

const LOG_BYTES_AT_ONCE = 8 * 1024

/** For tests of other things than the rate limits. */
export const uncounted: RequestCounter = () => ({ minute: 0, requests: [] })

/** A cell on a database of its own, for one test file. Every answer of the API is checked against the OpenAPI document. */
export async function startCell(
  overrides: Partial<Config> & {
    deps?: Partial<Deps>
    connection?: Connection
    cellSecret?: string
    keys?: CellKeys
  } = {},
): Promise<TestCell> {
  const {
    deps: given,
    connection = await cloneDatabase(),
    cellSecret = 's'.repeat(32),
    keys: theirs,
    ...configured
  } = overrides
  // The tests keep the event loop busy as well, which must not count as overload of the cell.
  const config = {
    ...readConfig({}),
    shedAfterMs: 0,
    logRequests: true,
    dataDir: join(tmpdir(), `backdesk-test-${randomUUID()}`),
    ...configured,
  }
  const log = logOfRun()
  const keys = theirs ?? (await openKeys(connection, cellSecret))
  const lost = (error: Error) => log.warn({ err: error }, 'lost')
  const db = openDatabase(connection, 8, lost, followUpsOf(log), { connection }, keys.accounts)
  let ahead = 0
  const now = () => Date.now() + ahead
  const deps = { ...depsOf({ config, log, db, now, count: countInMemory(now) }, keys), ...given }
  const app = buildApp(deps)
  await app.ready()
  let closing: Promise<void> | null = null
  const end = async () => {
    await app.close()
    await db.close()
    runLog?.to?.flushSync()
    await rm(config.dataDir, { recursive: true, force: true })
  }
  const close = () => {
    closing ??= end()
    return closing
  }
  atEnd(close)

  return {
    app,
    deps,
    connection,
    keys,
    opened: (account, text) => keys.accounts.atHand(account)?.values.openIn(text) ?? text,
    close,
    clock: {
      add: (ms) => {
        ahead += ms
      },
      set: (epochMs) => {
        ahead = epochMs - Date.now()
      },
    },
    async call(method, path, { key, session, body, raw, headers = {} } = {}) {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await app.inject({
        method: method as 'GET',
        url:
          path.startsWith('/api/') || path.startsWith('/app/') || path.startsWith('//') || !path.startsWith('/')
            ? path
            : `/api/v1${path}`,
        headers: definedOf({
          ...(key && { authorization: `Bearer ${key}` }),
          ...(path.startsWith('/app/') && { 'backdesk-console': '1', 'sec-fetch-site': 'same-origin' }),
          ...(session && { cookie: `backdesk=${session}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        }),
        ...(payload !== undefined && { payload }),
      })
      const text = response.body
      const parsed = (() => {
        try {
          return JSON.parse(text)
        } catch {
          return undefined
        }
      })()
      const answer = {
        status: response.statusCode,
        body: parsed as never,
        text,
        headers: response.headers as Record<string, string>,
      }
      checkAgainstDocument(config, method, path, answer)
      return answer
    },
  }
}

/** A new cell's key is its secret, so that tests can derive from it what the cell derives. */
export async function openKeys(
  connection: Connection,
  secret: string,
  previous: string | null = null,
): Promise<CellKeys> {
  const wraps = keyWraps(secret, previous)
  const key = await withClient(connection, async (client) => {
    await client.query(
      `insert into cell_keys (name, wrapped, wrapped_by, seals_from) values ('root', $1, $2, now()) on conflict do nothing`,
      [wraps.seal(secret), wraps.fingerprint],
    )
    return openCellKey(client, secret, wraps)
  })
  return cellKeys(key, wraps)
}

const definedOf = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Where the cells of this process log, which global-setup.ts searches when all tests have run; by TEST_LOG on the screen. */
function logOfRun(): Log {
  const { TEST_LOG } = process.env
  runLog ??= TEST_LOG ? { log: openLog(TEST_LOG) } : openRunLog(join(inject('logs'), `${process.pid}.log`))
  return runLog.log
}
function openRunLog(dest: string): RunLog {
  const to = pino.destination({ dest, minLength: LOG_BYTES_AT_ONCE })
  return { log: openLog('debug', to), to }
}
/** Delayed writes are done when a cell closes. */
type RunLog = { readonly log: Log; readonly to?: { flushSync(): void } }
let runLog: RunLog | undefined

/** A copy of the migrated database, or of another one without connections. */
export async function cloneDatabase(template = 'template_cell'): Promise<Connection & { database: string }> {
  const { host, port } = inject('postgres')
  const database = `cell_${randomUUID().replaceAll('-', '')}`
  const server = { host, port, user: 'backdesk' }
  await withClient(
    { ...server, database: 'backdesk' },
    (client) => client.query(`create database ${database} template ${template} strategy file_copy`), // a third of the work
  )
  return { ...server, database }
}

/** A connection of the tables' owner to a new database. The caller closes it. */
export async function singleClient(): Promise<Client> {
  const client = new Client(await cloneDatabase())
  await client.connect()
  return client
}
