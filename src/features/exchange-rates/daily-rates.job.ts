import type { Database } from '../../platform/db/database.ts'
import { ON_THE_NEXT_DAY_UTC, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import type { Log } from '../../platform/log.ts'
import { fetchRates } from './commands/fetch-rates.ts'

/** A server that refused once is not asked again sooner. */
const LEASE_MS = 60 * 60_000

type Needs = {
  readonly db: Database
  readonly log: Pick<Log, 'info'>
  readonly config: { readonly exchangeRateUrl: string | null }
}

/** Fetches the rates of the day, UTC, if a source is configured. */
export const dailyRates: ScheduledJob<Needs> = {
  name: 'exchange rates',
  dueAgain: ON_THE_NEXT_DAY_UTC,
  leaseMs: LEASE_MS,
  isWanted: ({ config }) => config.exchangeRateUrl !== null,
  async run({ db, log, config }, stopping) {
    log.info(await fetchRates(db, config.exchangeRateUrl as string, stopping), 'fetched exchange rates')
  },
}
