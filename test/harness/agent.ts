import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendFile } from '#client/agent/send-file.ts'
import { type AgentTimes, type Tally, watchFolder } from '#client/agent/watch-folder.ts'
import { atEnd } from './at-end.ts'
import { run, start } from './process.ts'
import type { TicketCell } from './ticket-cell.ts'

/** A folder that a GDS writes into. */
export type PrinterFolder = {
  readonly path: string
  write(name: string, text: string | Buffer, at?: Date): void
  /** The names in it, or in one of its folders, without those of the agent. */
  names(within?: string): string[]
  answer(path: string): Record<string, unknown>
  read(path: string): string
  /** What the agent still has in its journal. */
  entries(): string[]
}

export function printerFolder(): PrinterFolder {
  const path = mkdtempSync(join(tmpdir(), 'backdesk-agent-'))
  atEnd(async () => rmSync(path, { recursive: true, force: true }))
  const list = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  return {
    path,
    write(name, text, at) {
      writeFileSync(join(path, name), text)
      if (at) utimesSync(join(path, name), at, at)
    },
    names: (within = '') =>
      list(join(path, within)).filter((name) => !['.backdesk-agent', 'done', 'duplicate', 'failed'].includes(name)),
    answer: (name) => JSON.parse(read(name)),
    read,
    entries: () => list(join(path, '.backdesk-agent')),
  }
}

export type RunningAgent = {
  /** The output about each file, without the time of day. */
  readonly outcomes: string[]
  readonly problems: string[]
  /** Happens when it ends by itself. */
  readonly ended: Promise<Tally>
  stop(): Promise<Tally>
}
const QUICK: AgentTimes = { steadyMs: 40, quietMs: 300, pollMs: 60, firstMs: 20, longestMs: 80 }

/** Runs an agent in this process, in quick motion. */
export function startAgent(
  folder: string,
  url: string,
  { once = false, ...times }: Partial<AgentTimes> & { once?: boolean } = {},
): RunningAgent {
  const stopping = new AbortController()
  const outcomes: string[] = []
  const problems: string[] = []
  const cell = { url, key: 'sek_test', encoding: null, agent: { version: '1', host: 'desk', os: 'test' } }
  const ended = watchFolder({
    folder,
    once,
    send: (file, stop) => sendFile(cell, file, stop),
    log: {
      outcome: (name, text) => void outcomes.push(`${name}  ${text}`),
      problem: (text) => void problems.push(text),
    },
    stop: stopping.signal,
    times: { ...QUICK, ...times },
  })
  ended.catch(() => {}) // notifies the waiting test
  const stop = () => {
    stopping.abort()
    return ended
  }
  atEnd(async () => void (await stop().catch(() => {})))
  return { outcomes, problems, ended, stop }
}

/** Times of files that are old, in their order. */
export const nthMinute = (nth: number): Date => new Date(Date.UTC(2026, 0, 1, 0, nth))

/** `backdesk agent` as a process, and its output. */
type AgentProcess = { child: ChildProcess; output: { stdout: string; stderr: string } }

/** Runs `backdesk agent` in the background. */
export function startAgentProcess(folder: PrinterFolder, cell: TicketCell, ...more: string[]): AgentProcess {
  const args = ['agent', '--watch', folder.path, '--url', cell.url, ...more]
  const child = start(args, folder.path, { BACKDESK_KEY: 'sek_test' })
  atEnd(async () => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk) => {
      output[stream] += chunk
    })
  }
  return { child, output }
}
/** Runs `backdesk agent` to its end. */
export const runAgent = (folder: PrinterFolder, cell: TicketCell, ...more: string[]) =>
  run(['agent', '--watch', folder.path, '--url', cell.url, '--key', 'sek_test', ...more], folder.path)
