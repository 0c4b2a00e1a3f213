import { lstat, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** On Windows, a program that reads a file (a virus scanner, the GDS itself) prevents others from moving it. */
const LOCKED = new Set(['EBUSY', 'EPERM', 'EACCES'])
const TRIES = 5
const PAUSE_MS = 60

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** What an error of the file system is, in a few words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Null if the file does not exist. */
export async function statOrNull(path: string) {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes a file atomically, even if the process or the machine crashes. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp`
  await writeFile(draft, text, { flush: true })
  await renamePatiently(draft, path)
}

/** Renames a file, and retries for a moment if another process holds it. */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (attempt === TRIES || !LOCKED.has(codeOf(error) ?? '')) throw error
      await sleep(PAUSE_MS)
    }
  }
}
