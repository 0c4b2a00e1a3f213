import type { Log } from '../platform/log.ts'

/** What has been started, to be stopped in the opposite order: by a signal, or because a start failed half-way. */
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

/** What would wait for ever, as for a database that is stalled, is left to leases and to the server's timeouts. */
const STOP_MS = 9_500

/**
 * Stops on SIGINT and SIGTERM, once however often they come: a terminal sends them to a launcher and its child alike.
 * `graceS` are the seconds for which it goes on as before.
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
