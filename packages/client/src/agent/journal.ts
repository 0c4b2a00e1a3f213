import { hash, randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer } from './outcome.ts'
import type { SeenFile } from './seen-file.ts'
import { writeWhole } from './whole-file.ts'

/** A file that is on its way to the cell, or was answered and has still to be moved. */
export type Entry = SeenFile & {
  readonly sha256: string
  /** Identifies this sending; part of its idempotency key. */
  readonly id: string
  readonly answer: Answer | null
  /** The target of the file in the watched folder; chosen once. */
  readonly target: string | null
}
export type Journal = {
  find(name: string): Entry | undefined
  all(): readonly Entry[]
  keep(entry: Entry): Promise<void>
  forget(name: string): Promise<void>
}

export const newEntry = (file: SeenFile, sha256: string): Entry => ({
  ...file,
  sha256,
  id: randomUUID(),
  answer: null,
  target: null,
})

const ENDING = '.entry.json'

/**
 * Records each started file, so that it is not started again after a crash. An entry is written before its file is
 * sent, again with the answer, again with the target, and removed after the move. So after a crash
 * - before the answer was written, the file is sent again with the same idempotency key, and the cell repeats its
 *   answer;
 * - later, it is not sent but moved to the chosen target. A file name that appears again after the move is a new
 *   sending with its own key, and gets a new answer.
 */
export async function openJournal(folder: string): Promise<Journal> {
  // Also in memory, so that an answer that cannot be written (the disk is full) is not requested again.
  const entries = new Map<string, Entry>()
  for (const file of await readdir(folder)) {
    const entry = file.endsWith(ENDING) ? await readEntry(join(folder, file)) : null
    if (entry) entries.set(entry.name, entry)
  }
  const pathOf = (name: string) => join(folder, `${hash('sha256', name).slice(0, 32)}${ENDING}`)
  return {
    find: (name) => entries.get(name),
    all: () => [...entries.values()],
    async keep(entry) {
      entries.set(entry.name, entry)
      await writeWhole(pathOf(entry.name), JSON.stringify(entry))
    },
    async forget(name) {
      await rm(pathOf(name), { force: true })
      entries.delete(name)
    },
  }
}

/** Null for a damaged entry: the cell recognises the bytes of a file, so even this creates no second sale. */
async function readEntry(path: string): Promise<Entry | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
