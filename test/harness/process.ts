import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'backdesk-test-'))

/** A currently free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export type Served = {
  readonly child: ChildProcess
  readonly url: string
  readonly demo: {
    keys: Record<string, string>
    account: { id: number }
    sharedTrip: string
    survey: string
    referral: string
  } | null
  readonly startedMs: number
}

/** Starts `backdesk serve` as a process of its own and waits for its answer. */
export async function serve(dataDir: string, environment: Record<string, string> = {}): Promise<Served> {
  const begin = performance.now()
  const child = startLogging(['serve', '--json'], dataDir, environment)
  const answer = (await firstAnswer(child)) as Pick<Served, 'url' | 'demo'>
  return { child, ...answer, startedMs: performance.now() - begin }
}

/** Starts `backdesk worker` as a process of its own and waits until it works. */
export async function work(dataDir: string, environment: Record<string, string> = {}): Promise<ChildProcess> {
  const child = startLogging(['worker', '--json'], dataDir, environment)
  await firstAnswer(child)
  return child
}

/** Starts a command that logs to where global-setup.ts searches when all tests have run. */
function startLogging(args: string[], dataDir: string, environment: Record<string, string>): ChildProcess {
  const child = start(args, dataDir, { LOG_LEVEL: 'info', LOG_REQUESTS: 'true', ...environment })
  child.stderr?.pipe(createWriteStream(join(inject('logs'), `${child.pid}.log`), { flags: 'a' }))
  return child
}

/** The line of JSON that a command prints when it is ready. */
async function firstAnswer(child: ChildProcess): Promise<object> {
  let printed = ''
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    printed += chunk
    if (!printed.includes('\n')) continue
    const answer = JSON.parse(printed) as { error?: string }
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
  throw new Error(`The process ended: ${printed}${errors}`)
}

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs a command as a separate process and returns its exit code and its output. */
export async function run(args: string[], dataDir: string, environment: Record<string, string> = {}): Promise<Ended> {
  const child = start(args, dataDir, environment)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}

/** The environment of a command; undefined removes a variable. */
export const settings = (
  dataDir: string,
  environment: Readonly<Record<string, string>>,
): Record<string, string | undefined> => ({
  DATABASE_URL: undefined,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
  ...environment,
})

/** Starts a command as a process of its own. */
export function start(args: string[], dataDir: string, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'bin/backdesk.js'), ...args], {
    env: { ...process.env, ...settings(dataDir, environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  child.kill(signal)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** Resident memory of a process in MB, on Linux. */
export const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The process of a data folder's own PostgreSQL. */
export const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
