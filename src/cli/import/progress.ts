import { Presets, SingleBar } from 'cli-progress'

export type Progress = { at(done: number, rows: number): void; note(text: string): void; stop(): void }
const SILENT: Progress = { at: () => {}, note: () => {}, stop: () => {} }
const LINE_EVERY_MS = 5_000

/** Of the bytes of a file, or of the rows of batches: a bar on a terminal, lines elsewhere, nothing where the answer is for a program. */
export function progress(total: number, silent: boolean): Progress {
  if (silent) return SILENT
  return process.stderr.isTTY ? bar(total) : lines(total)
}

function bar(total: number): Progress {
  const shown = new SingleBar(
    {
      format: '{bar} {percentage}%  {rows} rows  {rate}/s  {eta_formatted} left  {note}',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  const begin = performance.now()
  shown.start(Math.max(1, total), 0, { rows: 0, rate: 0, note: '' })
  return {
    at: (done, rows) =>
      shown.update(Math.min(done, total), {
        rows,
        rate: Math.round((rows / (performance.now() - begin)) * 1000),
        note: '',
      }),
    note: (note) => shown.update({ note }),
    stop: () => shown.stop(),
  }
}

function lines(total: number): Progress {
  let last = performance.now()
  const say = (text: string) => process.stderr.write(`${text}\n`)
  return {
    at: (done, rows) => {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      say(`${rows} rows, ${Math.min(100, Math.round((done / Math.max(1, total)) * 100))} %`)
    },
    note: say,
    stop: () => {},
  }
}
