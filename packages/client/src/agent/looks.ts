import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isComplete } from '../ticket-file/complete.ts'
import { decodeTicketFile } from '../ticket-file/decode.ts'
import { OUTCOME_FOLDERS } from './outcome.ts'
import { isSame, type SeenFile } from './seen-file.ts'
import { statOrNull } from './whole-file.ts'

/** Unchanged for two looks; `quiet` once nothing can be writing it any more. */
export type SteadyFile = SeenFile & { readonly quiet: boolean }
export type Look = {
  readonly names: readonly string[]
  /** Oldest first. */
  readonly steady: readonly SteadyFile[]
  /** The number of other files, which the next look may find steady. */
  readonly fresh: number
}
export type LookTimes = {
  /** For so long a file must not change before it is read. */
  readonly steadyMs: number
  /** A file without an end mark that has not changed for this long is treated as truncated, and sent unchanged. */
  readonly quietMs: number
}

/** The code page depends on the country, but the end mark is the same in all code pages. */
const ANYWHERE = ''
const NO_TICKETS = new Set<string>([...OUTCOME_FOLDERS, 'thumbs.db', 'desktop.ini'])
/** Hidden files, and those that editors, browsers and copying programs write before the file itself. */
const TEMPORARY = /^\.|^~|~$|\.(?:tmp|temp|part|partial|filepart|crdownload|download|swp)$/i

export const mayBeTicket = (name: string): boolean => !TEMPORARY.test(name) && !NO_TICKETS.has(name.toLowerCase())

/**
 * Looks into a folder repeatedly and remembers since when each file is unchanged. Only the agent's clock is used: the
 * clock of a network share may be wrong, and a copy may keep the time of the original.
 */
export function looksInto(folder: string, { steadyMs, quietMs }: LookTimes): () => Promise<Look> {
  let before = new Map<string, SeenFile & { since: number }>()
  return async () => {
    const now = performance.now()
    const found = (await seenFiles(folder)).map((file) => {
      const known = before.get(file.name)
      return { ...file, since: known && isSame(known, file) ? known.since : now }
    })
    before = new Map(found.map((file) => [file.name, file]))
    const steady = found
      .filter(({ since }) => now - since >= steadyMs)
      .map(({ since, ...file }) => ({ ...file, quiet: now - since >= quietMs }))
      .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1))
    return { names: found.map(({ name }) => name), steady, fresh: found.length - steady.length }
  }
}

async function seenFiles(folder: string): Promise<SeenFile[]> {
  const seen: SeenFile[] = []
  for (const name of (await readdir(folder)).filter(mayBeTicket)) {
    const stat = await statOrNull(join(folder, name)) // null: gone since
    if (stat?.isFile()) seen.push({ name, size: stat.size, mtimeMs: stat.mtimeMs })
  }
  return seen
}

/** The bytes of a steady file; null if it is still being written. */
export async function readSteady(folder: string, file: SteadyFile): Promise<Buffer | null> {
  const handle = await open(join(folder, file.name))
  try {
    const bytes = await handle.readFile()
    if (bytes.length !== file.size || !isSame(file, await handle.stat())) return null
    return file.quiet || isComplete(decodeTicketFile(bytes, null, ANYWHERE).text) ? bytes : null
  } finally {
    await handle.close()
  }
}
