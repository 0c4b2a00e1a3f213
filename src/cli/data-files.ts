import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from '../../demo/make-demo.ts'

/** What a later start prints of the demo agency. Its keys are not stored. */
export type KnownDemo = Pick<Demo, 'name' | 'account' | 'sharedTrip' | 'survey' | 'referral'>

const demoFile = (dataDir: string): string => join(dataDir, 'demo.json')

export const keepDemo = (dataDir: string, { name, account, sharedTrip, survey, referral }: Demo): void =>
  writeJson(demoFile(dataDir), { name, account, sharedTrip, survey, referral } satisfies KnownDemo)

export const findDemo = (dataDir: string): KnownDemo | null => readJson<KnownDemo>(demoFile(dataDir))

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
