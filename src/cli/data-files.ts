import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from '../../demo/make-demo.ts'

// Small files of DATA_DIR by which one command of a cell tells another something.

/** What a later start prints of the demo agency. Its keys are not kept. */
export type KnownDemo = Pick<Demo, 'name' | 'account' | 'sharedTrip' | 'survey' | 'referral'>

const demoFile = (dataDir: string): string => join(dataDir, 'demo.json')
const addressFile = (dataDir: string): string => join(dataDir, 'address.json')

export const keepDemo = (dataDir: string, { name, account, sharedTrip, survey, referral }: Demo): void =>
  writeJson(demoFile(dataDir), { name, account, sharedTrip, survey, referral } satisfies KnownDemo)

export const findDemo = (dataDir: string): KnownDemo | null => readJson<KnownDemo>(demoFile(dataDir))

/** Where the process that serves the folder listens. Answers how to take that back. */
export function keepAddress(dataDir: string, url: string): () => void {
  const file = addressFile(dataDir)
  writeJson(file, { url, pid: process.pid })
  return () => rmSync(file, { force: true })
}

/** Null where no process serves the folder: one that was killed leaves its file behind. */
export function findAddress(dataDir: string): string | null {
  const found = readJson<{ url: string; pid: number }>(addressFile(dataDir))
  return found && isAlive(found.pid) ? found.url : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // another user's
  }
}

/** Only the owner reads it: the address of a shared trip works like a password. A cell starts without it as well. */
function writeJson(file: string, value: object): void {
  try {
    writeFileSync(file, JSON.stringify(value), { mode: 0o600 })
  } catch {
    rmSync(file, { force: true })
  }
}

/** Null for a file that is missing, cut off or unreadable: nothing depends on it. */
function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return null
  }
}
