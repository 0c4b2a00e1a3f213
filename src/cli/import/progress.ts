import { Presets, SingleBar } from 'cli-progress'

export type Progress = { at(bytes: number, rows: number): void; note(text: string): void; stop(): void }
const SILENT: Progress = { at: () => {}, note: () => {}, stop: () => {} }
const LINE_EVERY_MS = 5_000

/** A bar on a terminal, lines elsewhere, nothing where the answer is for a program. */
export function progress(totalBytes: number, silent: boolean): Progress {
  if (silent) return SILENT
  return process.stderr.isTTY ? bar(totalBytes) : lines(totalBytes)
}

function bar(totalBytes: number): Progress {
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
  shown.start(Math.max(1, totalBytes), 0, { rows: 0, rate: 0, note: '' })
  return {
    at: (bytes, rows) =>
      shown.update(Math.min(bytes, totalBytes), {
        rows,
        rate: Math.round((rows / (performance.now() - begin)) * 1000),
        note: '',
      }),
    note: (note) => shown.update({ note }),
    stop: () => shown.stop(),
  }
}

function lines(totalBytes: number): Progress {
  let last = performance.now()
  const say = (text: string) => process.stderr.write(`${text}\n`)
  return {
    at: (bytes, rows) => {
      if (performance.now() - last < LINE_EVERY_MS) return
      last = performance.now()
      say(`${rows} rows, ${Math.min(100, Math.round((bytes / Math.max(1, totalBytes)) * 100))} %`)
    },
    note: say,
    stop: () => {},
  }
}
