import { hash } from 'node:crypto'
import type { AgentLog } from './agent-log.ts'
import { type Entry, type Journal, newEntry } from './journal.ts'
import { readSteady, type SteadyFile } from './looks.ts'
import { type Answered, moveAnswered } from './move-answered.ts'
import { type Answer, folderOf, outcomeText } from './outcome.ts'
import { isSame, type SeenFile } from './seen-file.ts'
import type { Outgoing, Trouble, Verdict } from './send-file.ts'
import { type Backoff, type BackoffTimes, backoff } from './waits.ts'
import { codeOf, reasonOf } from './whole-file.ts'

/** `waits`: the file is incomplete or held by another process. A `Trouble` concerns the cell, so all files wait. */
export type Taken = 'finished' | 'waits' | Trouble
export type FileTaker = {
  take(file: SteadyFile): Promise<Taken>
  /** Ends what an agent before has begun with files that are no longer in the folder. */
  tidy(names: ReadonlySet<string>): Promise<void>
  /** How often a file could not be read, sent or moved. */
  tries(name: string): number
  /** How many files have failed. */
  failed(): number
}
export type TakerOptions = {
  readonly folder: string
  readonly journal: Journal
  readonly send: (file: Outgoing) => Promise<Verdict>
  readonly log: AgentLog
  readonly times: BackoffTimes
}

const MAX_BYTES = 2 * 1024 * 1024
/** If the cell fails on this many files without accepting one in between, the files are not the cause. */
const FAILING_IN_A_ROW = 3
const FAILING_AT_ALL: Trouble = {
  kind: 'away',
  text: 'The cell fails to process several files in a row.',
  afterMs: null,
}

/** Brings files from the folder to the cell, and from there to where they belong. */
export function fileTaker({ folder, journal, send, log, times }: TakerOptions): FileTaker {
  /** Files that could not be read, sent or moved for a reason of their own. The others continue. */
  const held = new Map<string, { file: SeenFile; until: number; waits: Backoff }>()
  /** Files that the cell has failed to process since its last answer. */
  const failing = new Set<string>()
  let failed = 0

  async function take(file: SteadyFile): Promise<Taken> {
    const holding = held.get(file.name)
    if (holding && isSame(holding.file, file) && performance.now() < holding.until) return 'waits'
    try {
      const taken = await bring(file)
      if (typeof taken !== 'object' || taken.kind !== 'failing') return taken
      hold(file, `${file.name} waits. ${taken.text}`)
      if (failing.add(file.name).size >= FAILING_IN_A_ROW) return FAILING_AT_ALL
    } catch (error) {
      hold(file, problemText(file.name, journal.find(file.name), error))
    }
    return 'waits'
  }

  async function bring(file: SteadyFile): Promise<Taken> {
    const known = journal.find(file.name)
    if (known && isAnswered(known)) return finish(known)
    if (file.size > MAX_BYTES) return file.quiet ? refuse(file) : 'waits'
    const bytes = await readSteady(folder, file)
    if (bytes === null) return 'waits'
    const entry = await begin(file, bytes, known)
    const verdict = await send({ name: file.name, bytes, id: entry.id })
    if (verdict === 'key_reused') return startOver(file)
    if ('trouble' in verdict) return verdict.trouble
    failing.clear()
    return keep({ ...entry, answer: verdict.answer })
  }

  async function begin({ name, size, mtimeMs }: SteadyFile, bytes: Buffer, known: Entry | undefined): Promise<Entry> {
    const sha256 = hash('sha256', bytes)
    const entry = known?.sha256 === sha256 ? { ...known, size, mtimeMs } : newEntry({ name, size, mtimeMs }, sha256)
    await journal.keep(entry)
    return entry
  }

  /** The cell has a different answer for this key, or can no longer read it. It still recognises the bytes. */
  async function startOver({ name }: SteadyFile): Promise<Taken> {
    await journal.forget(name)
    return 'waits'
  }

  const refuse = ({ name, size, mtimeMs }: SteadyFile): Promise<Taken> =>
    keep({ ...newEntry({ name, size, mtimeMs }, ''), answer: tooLarge(name, size) })

  async function keep(answered: Answered): Promise<Taken> {
    await journal.keep(answered)
    return finish(answered)
  }

  async function finish(answered: Answered): Promise<Taken> {
    const { name, answer } = answered
    const moved = await moveAnswered(folder, answered, journal)
    held.delete(name)
    if (answer.status === 'failed') failed += 1
    log.outcome(name, outcomeText(answer))
    const kept = `The response to the sent file is in ${folderOf(answer)}.`
    if (moved === 'changed') log.problem(`${name} was changed after it was sent, and will be sent again. ${kept}`)
    if (moved === 'gone') log.problem(`${name} was removed after it was sent. ${kept}`)
    return 'finished'
  }

  function hold(file: SeenFile, text: string): void {
    const before = held.get(file.name)
    const waits = before && isSame(before.file, file) ? before.waits : backoff(times)
    if (waits.tries === 0) log.problem(text)
    held.set(file.name, { file, until: performance.now() + waits.next(), waits })
  }

  return {
    take,
    async tidy(names) {
      for (const entry of journal.all().filter(({ name }) => !names.has(name))) {
        const end = isAnswered(entry) ? finish(entry) : journal.forget(entry.name)
        await end.catch((error) => log.problem(problemText(entry.name, entry, error)))
      }
    },
    tries: (name) => held.get(name)?.waits.tries ?? 0,
    failed: () => failed,
  }
}

const isAnswered = (entry: Entry): entry is Answered => entry.answer !== null

function problemText(name: string, entry: Entry | undefined, error: unknown): string {
  const reason = reasonOf(error)
  if (entry?.answer) {
    return `${name} was processed (${outcomeText(entry.answer)}), but cannot be moved: ${reason}. Retrying the move; the file will not be sent again.`
  }
  if (codeOf(error) === 'ENOENT') return `${name} is gone.`
  return `${name} cannot be read: ${reason}. Retrying.`
}

const tooLarge = (name: string, size: number): Answer => ({
  status: 'failed',
  filename: name,
  code: 'payload_too_large',
  error: `The file has ${size} bytes, but a ticket file has at most ${MAX_BYTES}. It was not sent.`,
})
