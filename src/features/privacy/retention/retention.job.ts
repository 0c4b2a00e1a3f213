import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import type { Log } from '../../../platform/log.ts'
import { dayBegins, dayIn } from '../../../platform/time.ts'
import { releaseFiles } from '../../uploads/commands/release-files.ts'
import { REMOVED_AT_ONCE } from './retained.store.ts'
import { RETAINED, RETAINED_KINDS, type RetainedKind } from './retained-kinds.ts'
import { listSweepable, lockRules, noteSwept } from './retention.store.ts'

/** Somewhere it becomes night every quarter of an hour. */
const OFTEN = '15 minutes'
const LEASE_MS = 2 * 60 * 60_000
/** The hour of the account's clock from which on a day is swept. */
const FROM_HOUR = 2

type Needs = { readonly db: Database; readonly log: Pick<Log, 'error'>; now(): number }

/**
 * Removes what accounts no longer keep, once on each day of their own clock. An account that fails waits for the next
 * run; what was removed until then is audited and stays removed.
 */
export const sweepRetention: ScheduledJob<Needs> = {
  name: 'retention rules',
  dueAgain: every(OFTEN),
  leaseMs: LEASE_MS,
  async run({ db, log, now }, stopping) {
    const at = Temporal.Instant.fromEpochMilliseconds(now())
    for (const { account, zone, swept_on } of await db.askSystem('accounts with retention rules', listSweepable, {})) {
      const clock = at.toZonedDateTimeISO(zone)
      const today = clock.toPlainDate().toString()
      if (clock.hour < FROM_HOUR || swept_on === today) continue
      try {
        for (const kind of RETAINED)
          for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
            stopping.throwIfAborted()
            removed = await db.inAccount(account, (tx) => removeOld(tx, kind, now()))
          }
        await db.inAccount(account, async (tx) => tx.later(noteSwept, { day: today }))
      } catch (error) {
        stopping.throwIfAborted()
        log.error({ err: error, account }, 'could not remove what an account no longer keeps; retrying')
      }
    }
  },
}

/** Removes some rows by the rule as it is now: who changes it while it is applied is heard. */
async function removeOld(tx: AccountTx, kind: RetainedKind, now: number): Promise<number> {
  const { purge, publishes } = RETAINED_KINDS[kind]
  if (publishes) takeChangeNumber(tx)
  const rules = await tx.one(lockRules, {})
  const days = rules?.[kind] ?? null
  if (!rules || days === null) return 0
  const before = dayBegins(rules.time_zone, dayIn(rules.time_zone, now), -days)
  const { removed = 0, files = [] } = (await tx.one(purge, { before })) ?? {}
  releaseFiles(tx, files)
  if (removed > 0)
    auditOwn(tx, {
      action: 'retention.removed',
      subjectType: 'account',
      subjectId: String(tx.account),
      details: { rule: kind, days, before, removed },
    })
  return removed
}
