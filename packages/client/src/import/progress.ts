import { Presets, SingleBar } from 'cli-progress'
import { duration } from './time-left.ts'

export type ProgressBar = {
  /**
   * Reports `done` of the total, and the number of rows. Without `secondsLeft`, the remaining time is estimated from
   * the elapsed time.
   */
  at(done: number, rows: number, secondsLeft?: number): void
  note(text: string): void
  stop(): void
}
const SILENT: ProgressBar = { at: () => {}, note: () => {}, stop: () => {} }
const LINE_EVERY_MS = 10_000

/**
 * Progress in bytes of a file or rows of batches: a bar on a terminal, lines elsewhere, nothing where a program reads
 * the answer.
 */
export function progress(total: number, silent: boolean): ProgressBar {
  if (silent) return SILENT
  return process.stderr.isTTY ? bar(total) : lines(total)
}

function bar(total: number): ProgressBar {
  const shown = new SingleBar(
    {
      format: '{bar} {percentage}%  {rows} rows  {rate}/s  {left}  {note}',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  const begin = performance.now()
  shown.start(Math.max(1, total), 0, { rows: 0, rate: 0, left: '', note: '' })
  return {
    at: (done, rows, secondsLeft = restOf(begin, done, total)) =>
      shown.update(Math.min(done, total), {
        rows,
        rate: Math.round((rows / (performance.now() - begin)) * 1000),
        left: leftText(secondsLeft),
        note: '',
      }),
    note: (note) => shown.update({ note }),
    stop: () => shown.stop(),
  }
}

/** One line every ten seconds, even without progress, so that the log shows that the program is running. */
function lines(total: number): ProgressBar {
  const begin = performance.now()
  const printLine = (text: string) => process.stderr.write(`${text}\n`)
  let now = { done: 0, rows: 0, left: '' }
  const timer = setInterval(() => {
    const percentage = Math.min(100, Math.round((now.done / Math.max(1, total)) * 100))
    printLine([`${now.rows} rows`, `${percentage} %`, now.left].filter(Boolean).join(', '))
  }, LINE_EVERY_MS)
  timer.unref()
  return {
    at: (done, rows, secondsLeft = restOf(begin, done, total)) => {
      now = { done, rows, left: leftText(secondsLeft) }
    },
    note: printLine,
    stop: () => clearInterval(timer),
  }
}

/** At the speed so far. */
const restOf = (begin: number, done: number, total: number): number =>
  (((performance.now() - begin) / 1000) * Math.max(0, total - done)) / Math.max(1, done)

const leftText = (seconds: number): string => `${duration(seconds)} left`
