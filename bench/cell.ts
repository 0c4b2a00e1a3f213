import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './cleanup.ts'

const ROOT = join(import.meta.dirname, '..')
const GONE_MS = 15_000

/** A cell in a separate process. */
export type Cell = {
  readonly url: string
  readonly dataDir: string
  /** The paths of the demo's pages; null if the data folder existed before. */
  readonly pages: Pages | null
  readonly pid: number
  /** From the start of the process to the first 200 of /health. */
  readonly startMs: number
  stop(): Promise<void>
}

export type Pages = { readonly sharedTrip: string; readonly survey: string; readonly referral: string }

/** A data folder that is deleted at the end, together with a server that may still run on it. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-bench-'))
  chmodSync(folder, 0o711) // as root the server is another user, who passes through
  atEnd(async () => {
    await endServer(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** Starts `serve` with default settings, or what `settings` add to them, on a data folder; its webhooks may call this machine. */
export async function startCell(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Cell> {
  const { PATH = '', HOME = '' } = process.env
  const log = openSync(join(dataDir, 'bench.log'), 'a')
  const before = performance.now()
  const child = spawn(process.execPath, [...profiling(), join(ROOT, 'bin/backdesk.js'), 'serve', '--json'], {
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', ...settings },
    stdio: ['ignore', 'pipe', log],
    detached: true, // Ctrl-C stops the benchmark, which stops its cells in order
  })
  const starting = startOf(child, dataDir)
  const stop = stopping(child, starting)
  atEnd(stop)
  const { url, pages } = await starting
  const answer = await fetch(`${url}/api/v1/health`)
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`/health answered ${answer.status}`)
  return { url, dataDir, pages, pid: child.pid as number, startMs: performance.now() - before, stop }
}

/** BENCH_CPU_PROF=<folder> profiles the cells. */
const profiling = () =>
  process.env.BENCH_CPU_PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_CPU_PROF}`] : []

async function startOf(child: ChildProcess, dataDir: string): Promise<Pick<Cell, 'url' | 'pages'>> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [null])])
  const ready = line === null ? {} : (JSON.parse(line as string) as { url?: string; demo?: Pages | null })
  if (ready.url) return { url: ready.url, pages: ready.demo ?? null }
  throw new Error(
    `The cell did not start: ${line ?? ''}\n${readFileSync(join(dataDir, 'bench.log'), 'utf8').slice(-2000)}`,
  )
}

/** Waits for a cell that is still starting: killing it there could leave an initdb process behind. */
function stopping(child: ChildProcess, starting: Promise<unknown>): () => Promise<void> {
  const gone = once(child, 'exit')
  gone.catch(() => {})
  return async () => {
    await Promise.race([starting.catch(() => {}), sleep(GONE_MS, undefined, { ref: false })])
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const forced = setTimeout(() => child.kill('SIGKILL'), GONE_MS)
    await gone
    clearTimeout(forced)
  }
}

/** A cell stops its own server. This stops the server of a cell that could not. */
async function endServer(dataDir: string): Promise<void> {
  for (const file of globSync(['postmaster.pid', '*/postmaster.pid', '*/*/postmaster.pid'], { cwd: dataDir })) {
    const path = join(dataDir, file)
    for (const deadline = Date.now() + GONE_MS; existsSync(path) && Date.now() < deadline; await sleep(100)) {
      const pid = Number(readFileSync(path, 'utf8').split('\n')[0])
      try {
        if (pid > 1) process.kill(pid, 'SIGINT')
      } catch {
        return
      }
    }
  }
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}
