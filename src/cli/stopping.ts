import type { Log } from '../platform/log.ts'

/** Started components, stopped in reverse order after a signal or a failed start. */
export type StartedWork = { push(stop: () => Promise<unknown>): void; stop(): Promise<void> }

export function started(): StartedWork {
  const stops: (() => Promise<unknown>)[] = []
  let stopping: Promise<void> | undefined
  const unwind = async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop()
  }
  return {
    push: (stop) => void stops.push(stop),
    stop: () => {
      stopping ??= unwind()
      return stopping
    },
  }
}

/** Work that would wait forever, e.g. for a stalled database, is left to leases and to the server's timeouts. */
const STOP_MS = 9_500

/**
 * Stops on SIGINT and SIGTERM, once: a terminal sends the signal to both a launcher and its child. It continues to
 * serve for `graceS` seconds.
 */
export function stopOnSignals({ stop }: StartedWork, log: Log, graceS = 0): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      setTimeout(
        () => {
          log.error({}, 'did not stop in time')
          process.exit(1)
        },
        graceS * 1000 + STOP_MS,
      ).unref()
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'did not stop cleanly')
          process.exit(1)
        },
      )
    })
  }
}
