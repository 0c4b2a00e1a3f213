import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import type { Log } from '../../platform/log.ts'
import { sendAutomated } from '../communications/commands/send-automated.ts'
import { type Birthdays, claimGreetings, nextBirthdays, noteGreetings, zonesInUse } from './birthdays.store.ts'
import { bornOn } from './born-on.ts'

/** Somewhere a day begins every quarter of an hour, and customers opt in at any time. */
const OFTEN = '5 minutes'
const LEASE_MS = 10 * 60_000
/** The hour of the account's clock from which on people are greeted. */
const FROM_HOUR = 9

type Needs = { readonly db: Database; readonly log: Pick<Log, 'error'>; now(): number } & Parameters<
  typeof sendAutomated
>[1]

/**
 * Sends birthday greetings to customers who opted in, once a year, on the day by the account's clock. Accounts take
 * turns, so one with many customers does not delay the others; an account that fails waits for the next run.
 */
export const greetBirthdays: ScheduledJob<Needs> = {
  name: 'birthdays',
  dueAgain: every(OFTEN),
  leaseMs: LEASE_MS,
  async run(deps, stopping) {
    const failed: number[] = []
    while (!stopping.aborted) {
      const found = await findBirthdays(deps, failed)
      if (found.length === 0) return
      for (const birthdays of found) {
        if (stopping.aborted) return
        await deps.db
          .inAccount(birthdays.account, (tx) => greet(tx, deps, birthdays))
          .catch((error: unknown) => {
            failed.push(birthdays.account)
            deps.log.error(
              { err: error, account: birthdays.account },
              'could not send the birthday greetings of one account; retrying',
            )
          })
      }
    }
  },
}

/** Some birthdays of each account in which it is morning or later, except failed ones. */
async function findBirthdays({ db, now }: Needs, failed: readonly number[]): Promise<Birthdays[]> {
  const reason = 'birthdays of all accounts come due'
  const instant = Temporal.Instant.fromEpochMilliseconds(now())
  const zones = await db.askSystem(reason, zonesInUse, {})
  const days = zones
    .map(({ zone }) => ({ zone, clock: instant.toZonedDateTimeISO(zone) }))
    .filter(({ clock }) => clock.hour >= FROM_HOUR)
    .map(({ zone, clock }) => ({ zone, day: clock.toPlainDate(), born: bornOn(clock.toPlainDate()) }))
  return db.askSystem(reason, nextBirthdays, { days: JSON.stringify(days), failed })
}

/** Claims, sends and records greetings in one transaction. A concurrent claim waits and then finds them done. */
async function greet(tx: AccountTx, deps: Needs, { day, customers }: Birthdays): Promise<void> {
  const claimed = await tx.all(claimGreetings, { day, customers })
  const sayings = claimed.map(({ customer }) => ({ kind: 'birthday' as const, customer, seat: null, trip: null }))
  const results = await sendAutomated(tx, deps, sayings)
  tx.later(noteGreetings, { said: JSON.stringify(claimed.map(({ id }, at) => ({ id, ...results[at] }))) })
}
