import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MailToRead } from './mail-thread.ts'
import { BEGINNING_BYTES, type ReceivedMail } from './received-mail.ts'

/** A large mail takes seconds. */
const LONGEST_MS = 15_000
const HEAP_MB = 1_024

/** Reads mails, one after the other; null where even the beginning of one is too much. */
export type MailReader = {
  read(bytes: Buffer, arrived: { readonly at: Date; readonly isWhole: boolean }): Promise<ReceivedMail | null>
  close(): Promise<void>
}

/**
 * A reader in a thread of its own, because mails come from anybody: one that needs too much time or memory ends the
 * thread, and is then read only in part by the next.
 */
export function openReader(longestMs = LONGEST_MS): MailReader {
  let thread: Worker | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const stop = async () => {
    const stopped = thread
    thread = null
    await stopped?.terminate()
  }
  async function ask(question: MailToRead): Promise<ReceivedMail | null> {
    thread ??= await startThread()
    const answer = await answerOf(thread, question, longestMs)
    if (answer === null) await stop()
    return answer
  }
  return {
    read(bytes, { at, isWhole }) {
      const unnamed = `<${hash('sha256', bytes)}@sha256.invalid>`
      const beginning = bytes.subarray(0, BEGINNING_BYTES)
      const mail = turn.then(
        async () =>
          (await ask({ bytes, arrival: { at, unnamed, cut: isWhole ? null : 'too_large' } })) ??
          (await ask({ bytes: beginning, arrival: { at, unnamed, cut: 'unreadable' } })),
      )
      turn = mail.catch(ignore)
      return mail
    },
    close: stop,
  }
}

/** Loading the modules takes longer than reading a mail, and does not count. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./mail-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  await once(thread, 'message')
  return thread.on('error', ignore) // an unhandled error event would end the process
}
const ignore = (): void => {}

/** Null if the thread does not answer in time, or fails. */
async function answerOf(thread: Worker, question: MailToRead, longestMs: number): Promise<ReceivedMail | null> {
  const { promise, resolve } = Promise.withResolvers<ReceivedMail | null>()
  const broken = () => resolve(null)
  const timer = setTimeout(broken, longestMs)
  thread.on('message', resolve).on('error', broken).on('exit', broken)
  thread.postMessage(question)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', broken).off('exit', broken)
  }
}
