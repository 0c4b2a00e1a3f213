import { randomUUID } from 'node:crypto'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './whole-file.ts'

export type FolderLock = {
  /** Happens when another process took the folder over. */
  readonly lost: AbortSignal
  release(): Promise<void>
}
type Holder = { readonly pid: number; readonly host: string; readonly token: string; readonly beat: number }
export type LockTimes = { readonly beatMs: number; readonly staleMs: number }

const LOCK_TIMES: LockTimes = { beatMs: 2_000, staleMs: 10_000 }
/** Written over the line before it, so all have one length. */
const LINE_LENGTH = 512
/** The content of a lock that is being created, or that a crashed machine left. */
const TORN: Holder = { pid: 0, host: '', token: '', beat: 0 }

/**
 * Makes this process the only agent of a folder, even if it is a share that several machines use. The lock is a file to
 * which its holder appends a heartbeat. A lock without new heartbeats was left by a killed process. Neither a wrong
 * machine clock nor a reused process id can make such a lock look active.
 */
export async function lockFolder(folder: string, state: string, times: LockTimes = LOCK_TIMES): Promise<FolderLock> {
  const path = join(state, 'lock')
  const token = randomUUID()
  const line = (beat: number) => JSON.stringify({ pid: process.pid, host: hostname(), token, beat }).padEnd(LINE_LENGTH)
  while (!(await created(path, line(0)))) {
    const holder = await read(path)
    const dead = holder === undefined || (await isDead(path, holder, times))
    const now = await read(path)
    if (now && !dead) throw new Error(heldBy(folder, now))
    // Only the lock that was seen to be dead is removed: another agent that starts now may have made its own.
    if (now && now.token === holder?.token) await rm(path, { force: true })
  }
  return keepBeating(path, token, line, times.beatMs)
}

function keepBeating(path: string, token: string, line: (beat: number) => string, beatMs: number): FolderLock {
  const lost = new AbortController()
  let beat = 0
  let beating = Promise.resolve()
  const next = async () => {
    beat += 1
    const holder = await beatInto(path, token, line(beat))
    if (holder === undefined)
      await created(path, line(beat)) // the folder was cleaned up
    else if (holder !== TORN && holder.token !== token) lost.abort()
  }
  // An unavailable share says nothing about the lock; the next heartbeat tries again.
  const timer = setInterval(() => {
    beating = beating.then(next).catch(() => {})
  }, beatMs)
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer)
      await beating
      if ((await read(path).catch(() => undefined))?.token === token) await rm(path, { force: true })
    },
  }
}

/**
 * Appends the holder's next line and returns whose lock it was, undefined if there was none. It writes to the same file
 * that was read: this process may be suspended in between for so long that another agent takes the folder over with a
 * new lock file.
 */
async function beatInto(path: string, token: string, line: string): Promise<Holder | undefined> {
  const file = await open(path, 'r+').catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const holder = parsed(await file.readFile('utf8'))
    if (holder.token === token) await file.write(line, 0)
    return holder
  } finally {
    await file.close()
  }
}

async function isDead(path: string, holder: Holder, { beatMs, staleMs }: LockTimes): Promise<boolean> {
  if (holder.host === hostname() && !runs(holder.pid)) return true
  for (let waited = 0; waited < staleMs; waited += beatMs / 4) {
    await sleep(beatMs / 4)
    const now = await read(path)
    if (now?.token !== holder.token || now.beat !== holder.beat) return false
  }
  return true
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH' // it may be another user's
  }
}

async function created(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Undefined for a lock that is gone. */
async function read(path: string): Promise<Holder | undefined> {
  try {
    return parsed(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parsed(text: string): Holder {
  try {
    return JSON.parse(text)
  } catch {
    return TORN
  }
}

const heldBy = (folder: string, { pid, host }: Holder): string =>
  `Another agent is watching ${folder}: process ${pid} on ${host}. Stop it first; a folder can have only one agent.`
