import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentLog, reportOnce } from './agent-log.ts'
import { lockFolder } from './folder-lock.ts'
import { openJournal } from './journal.ts'
import { type Look, type LookTimes, looksInto, mayBeTicket } from './looks.ts'
import type { Outgoing, Trouble, Verdict } from './send-file.ts'
import { type FileTaker, fileTaker } from './take-file.ts'
import { type BackoffTimes, backoff, rest } from './waits.ts'
import { reasonOf, statOrNull } from './whole-file.ts'

export type AgentTimes = LookTimes & BackoffTimes & { readonly pollMs: number }
export type Agent = {
  readonly folder: string
  /** Whether it ends when the folder is empty. */
  readonly once: boolean
  readonly send: (file: Outgoing, stop: AbortSignal) => Promise<Verdict>
  readonly log: AgentLog
  readonly stop: AbortSignal
  readonly times?: AgentTimes
}
export type Tally = {
  readonly failed: number
  /** Files that remain in the folder. */
  readonly left: number
}

const STATE_FOLDER = '.backdesk-agent'
const TIMES: AgentTimes = { steadyMs: 300, quietMs: 30_000, pollMs: 2_000, firstMs: 1_000, longestMs: 60_000 }
/** After this many tries, `once` leaves a file or ends. */
const ONCE_TRIES = 5

/** Sends the files of a folder until it is stopped, one at a time, the oldest first. */
export async function watchFolder(agent: Agent): Promise<Tally> {
  const { folder, stop } = agent
  if (!(await statOrNull(folder)))
    throw new Error(`The folder ${folder} does not exist. Create it, or choose another with --watch.`)
  const state = join(folder, STATE_FOLDER)
  await mkdir(state, { recursive: true })
  const lock = await lockFolder(folder, state)
  const halt = new AbortController()
  const end = () => halt.abort()
  for (const signal of [stop, lock.lost]) signal.addEventListener('abort', end)
  if (stop.aborted) end()
  try {
    const tally = await work({ ...agent, stop: halt.signal }, state)
    if (lock.lost.aborted) throw new Error(`Another agent has taken over ${folder}.`)
    return tally
  } finally {
    stop.removeEventListener('abort', end)
    await lock.release()
  }
}

async function work({ folder, once, send, log, stop, times = TIMES }: Agent, state: string): Promise<Tally> {
  const cell = cellTroubles(log, once, times)
  const taker = fileTaker({
    folder,
    journal: await openJournal(state),
    send: async (file) => {
      const verdict = await send(file, stop)
      if (typeof verdict === 'object' && 'answer' in verdict) cell.isBack()
      return verdict
    },
    log,
    times,
  })
  const pauses = pausesOf(folder, stop, times)
  const unreachable = reportOnce(log, `${folder} can be read again.`)
  const look = looksInto(folder, times)
  try {
    for (let first = true; ; first = false) {
      const seen = await look().catch((error) => {
        if (once || first) throw error
        unreachable.report(`${folder} cannot be read: ${reasonOf(error)}. Retrying.`)
      })
      if (seen) unreachable.resolve()
      if (seen && first) await taker.tidy(new Set(seen.names))
      const trouble = seen ? await takeAll(seen, taker, stop) : null
      const left = seen ? seen.names.filter((name) => taker.tries(name) < ONCE_TRIES) : []
      if (stop.aborted || (once && left.length === 0)) break
      await (trouble ? pauses.forCell(cell.waitFor(trouble)) : pauses.forFiles(seen?.fresh ?? 0))
    }
    return { failed: taker.failed(), left: once ? (await look()).names.length : 0 }
  } finally {
    pauses.end()
  }
}

/**
 * Returns the problem that makes all files wait. Files that were tried before go last, so that they do not delay the
 * others.
 */
async function takeAll({ steady }: Look, taker: FileTaker, stop: AbortSignal): Promise<Trouble | null> {
  const [first = [], last = []] = [false, true].map((tried) =>
    steady.filter(({ name }) => taker.tries(name) > 0 === tried),
  )
  for (const file of [...first, ...last]) {
    if (stop.aborted) return null
    const taken = await taker.take(file)
    if (typeof taken === 'object') return taken
  }
  return null
}

/** Returns how long to wait for a cell with a problem. Reports the problem once, and its end. */
function cellTroubles(log: AgentLog, once: boolean, times: BackoffTimes) {
  const report = reportOnce(log, 'The cell accepts files again.')
  const away = backoff(times)
  return {
    isBack() {
      report.resolve()
      away.reset()
    },
    waitFor({ kind, text, afterMs }: Trouble): number {
      if (kind === 'busy') {
        const ms = afterMs ?? away.next()
        log.problem(`${text} Waiting ${Math.ceil(ms / 1000)} s.`)
        return ms
      }
      if (once && (kind === 'refused' || away.tries >= ONCE_TRIES)) throw new Error(text)
      report.report(`${text} Files wait until the problem is solved.`)
      return kind === 'refused' ? times.longestMs : Math.max(afterMs ?? 0, away.next())
    },
  }
}

/** The pauses between looks. File system events shorten them; network shares send none. */
function pausesOf(folder: string, stop: AbortSignal, { pollMs, steadyMs }: AgentTimes) {
  const { untilHint, whole, hint, end } = rest()
  stop.addEventListener('abort', end)
  const hints = hintsOf(folder, hint)
  return {
    forCell: whole,
    /** A file that is being written gives a hint with each write, and is looked at now and then all the same. */
    forFiles: (fresh: number) => (fresh > 0 ? whole(steadyMs) : untilHint(pollMs)),
    end() {
      hints.close()
      stop.removeEventListener('abort', end)
    },
  }
}

function hintsOf(folder: string, hint: () => void): { close(): void } {
  try {
    const watcher = watch(folder, (_event, name) => {
      if (name === null || mayBeTicket(name)) hint()
    })
    return watcher.on('error', () => watcher.close())
  } catch {
    return { close() {} }
  }
}
