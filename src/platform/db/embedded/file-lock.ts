import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 50

/** Runs `fn` while no other process runs one with the same file. A lock of a process that died is broken. */
export async function withFileLock<T>(file: string, waitMs: number, fn: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + waitMs; !take(file); await sleep(RETRY_MS)) {
    if (Date.now() > deadline) throw new Error(`Another process holds ${file}. Remove it if none is starting.`)
  }
  try {
    return await fn()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!isAlive(holderOf(file))) rmSync(file, { force: true })
    return false
  }
}

function holderOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid // not yet written: alive
  } catch {
    return 0
  }
}

export function isAlive(pid: number): boolean {
  if (pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
