import type { Deps } from './deps.ts'
import { fetchWhenDue } from './features/exchange-rates/commands/fetch-when-due.ts'
import { sweepFiles } from './features/uploads/commands/sweep-files.ts'
import { purgePayloads } from './imports/batches/purge-payloads.ts'
import { statement } from './platform/db/statement.ts'
import { purgeIdempotencyKeys } from './platform/http/idempotency.ts'

const FLUSH_MS = 60_000
const PURGE_MS = 60 * 60_000
const ASK_FOR_RATES_MS = 60 * 60_000

const purgeWindows = statement<object, never>(
  `delete from rate_windows where minute < floor(extract(epoch from now()) / 60)::bigint - 1`,
)

/** What runs by the clock in every process; each task may run in several at once. Answers how to stop. */
export function keepHouse({ db, keys, log, config, files }: Deps): () => Promise<void> {
  const quietly = (task: () => Promise<unknown>) => () => {
    task().catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed and is tried again'))
  }
  const stopping = new AbortController()
  let fetching: Promise<void> = Promise.resolve()
  const askForRates = () => {
    const url = config.exchangeRateUrl
    if (url === null) return
    fetching = fetchWhenDue(db, url, stopping.signal).then(
      (fetched) => {
        if (fetched) log.info(fetched, 'exchange rates fetched')
      },
      (error: unknown) => log.warn({ err: error }, 'exchange rates are not fetched; the next try is within the hour'),
    )
  }
  askForRates()
  const timers = [
    setInterval(askForRates, ASK_FOR_RATES_MS),
    setInterval(
      quietly(() => keys.flush()),
      FLUSH_MS,
    ),
    setInterval(
      quietly(() => purgeIdempotencyKeys(db)),
      PURGE_MS,
    ),
    setInterval(
      quietly(() => purgePayloads(db)),
      PURGE_MS,
    ),
    setInterval(
      quietly(() => sweepFiles(db, files.store)),
      PURGE_MS,
    ),
    setInterval(
      quietly(() => db.askSystem('purge counters of all accounts', purgeWindows, {})),
      FLUSH_MS,
    ),
  ]
  return async () => {
    for (const timer of timers) clearInterval(timer)
    stopping.abort(new Error('the cell stops'))
    await fetching
    await keys.flush().catch((error: unknown) => log.warn({ err: error }, 'when keys were used last is lost')) // no reason not to stop
  }
}
