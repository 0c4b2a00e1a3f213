import type { Deps } from './deps.ts'
import { statement } from './platform/db/statement.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts'

const FLUSH_MS = 60_000
const PURGE_MS = 60 * 60_000

const purgeWindows = statement<object, never>(
  `delete from rate_windows where minute < floor(extract(epoch from now()) / 60)::bigint - 1`,
)

/** What runs by the clock in every process; each task may run in several at once. Answers how to stop. */
export function keepHouse({ db, keys, log }: Deps): () => Promise<void> {
  const quietly = (task: () => Promise<unknown>) => () => {
    task().catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed and is tried again'))
  }
  const timers = [
    setInterval(
      quietly(() => keys.flush()),
      FLUSH_MS,
    ),
    setInterval(
      quietly(() => purgeIdempotencyKeys(db)),
      PURGE_MS,
    ),
    setInterval(
      quietly(() => db.askSystem('purge counters of all accounts', purgeWindows, {})),
      FLUSH_MS,
    ),
  ]
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await keys.flush().catch((error: unknown) => log.warn({ err: error }, 'when keys were used last is lost')) // no reason not to stop
  }
}
