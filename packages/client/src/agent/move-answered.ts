import { copyFile, mkdir, readFile, unlink } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Entry, Journal } from './journal.ts'
import { type Answer, folderOf } from './outcome.ts'
import { isSame } from './seen-file.ts'
import { codeOf, renamePatiently, statOrNull, writeWhole } from './whole-file.ts'

/** File names may have 255 bytes; some are reserved for `(2)` and the extension of the answer. */
const NAME_BYTES = 235

export type Answered = Entry & { readonly answer: Answer }
/** `moved`; `changed`: a different file has the name now, and is sent as such; `gone`: the file was removed. */
export type MoveOutcome = 'moved' | 'changed' | 'gone'

/**
 * Moves an answered file to the folder of its outcome, and writes the answer next to it. It can be killed at any point
 * and repeated: the answer is written first, to a target that is already in the journal, and an existing target means
 * that the move is done. Throws if another process holds the file; the caller then retries later.
 */
export async function moveAnswered(folder: string, answered: Answered, journal: Journal): Promise<MoveOutcome> {
  await mkdir(join(folder, folderOf(answered.answer)), { recursive: true })
  const { name, target, answer } = await withTarget(folder, answered, journal)
  const [from, to] = [join(folder, name), join(folder, target)]
  await writeWhole(`${to}.json`, `${JSON.stringify(answer, null, 2)}\n`)
  const [source, moved] = await Promise.all([statOrNull(from), statOrNull(to)])
  const isOurs = source !== null && isSame(answered, source)
  if (isOurs && !moved) await move(from, to)
  if (isOurs && moved && (await readFile(from)).equals(await readFile(to))) await unlink(from) // a copy was cut short
  await journal.forget(name)
  if (isOurs || moved) return 'moved'
  return source ? 'changed' : 'gone'
}

async function withTarget(folder: string, entry: Answered, journal: Journal): Promise<Answered & { target: string }> {
  const target = entry.target ?? (await freeTarget(folder, folderOf(entry.answer), entry.name))
  const chosen = { ...entry, target }
  if (entry.target === null) await journal.keep(chosen)
  return chosen
}

/** A name that neither a file nor an answer has in the target folder: `AIR01.txt`, `AIR01 (2).txt` … */
async function freeTarget(folder: string, outcome: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(shortened(name))
  for (let nth = 1; ; nth++) {
    const target = `${outcome}/${stem}${nth > 1 ? ` (${nth})` : ''}${ext}`
    const taken = [join(folder, target), join(folder, `${target}.json`)].map(statOrNull)
    if ((await Promise.all(taken)).every((stat) => stat === null)) return target
  }
}

function shortened(name: string): string {
  let { name: stem, ext } = parse(name)
  while (stem.length > 1 && Buffer.byteLength(stem + ext) > NAME_BYTES) stem = stem.slice(0, -1)
  return stem + ext
}

/** By renaming; to another disk, by a copy that gets its name when it is complete. */
async function move(from: string, to: string): Promise<void> {
  try {
    await renamePatiently(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, `${to}.tmp`)
    await renamePatiently(`${to}.tmp`, to)
    await unlink(from)
  }
}
