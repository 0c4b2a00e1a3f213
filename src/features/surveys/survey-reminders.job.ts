import { randomUUID } from 'node:crypto'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/moved.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { say } from '../communications/commands/say.ts'
import { type Surveying, surveyUrl } from './survey-address.ts'

/** Reminders that one process takes at once. */
const CLAIMED = 100
/** Saying them takes well under that. */
const LEASE_MS = 60_000
const POLL_MS = 5_000
/** Nothing was sent for so long that nobody remembers the trip as it was. */
const TOO_LATE = '14 days'

type Due = { survey: string; trip: string; customer: string; pointless: boolean }
type Deps = Parameters<typeof say>[1] & Surveying

const DUE = `reminder_status = 'scheduled' and completed_at is null and next_attempt_at <= now()`
const claimDue = statement<{ lease: string; ms: number }, { account: number; id: string }>(`
  with due as (
    select account_id, id from surveys
    where ${DUE} and ${isHere('account_id')}
    order by next_attempt_at limit ${CLAIMED} for update skip locked
  )
  update surveys s set leased_by = $lease, next_attempt_at = now() + $ms * interval '1 millisecond'
  from due where s.account_id = due.account_id and s.id = due.id
  returning s.account_id as account, s.id`)
/**
 * Those that are still held: what was answered or taken over since the claim needs none, or is somebody else's. Customers
 * are locked first and in their order, as a merge does it, so that the two cannot wait for each other.
 */
const take = statement<{ account: number; lease: string; ids: readonly string[] }, Due>(`
  select s.id as survey, s.trip_id as trip, s.customer_id as customer,
    a.status <> 'active' or t.status = 'cancelled' or t.notification_preferences -> 'survey' is not distinct from 'false'
      or now() >= s.reminder_due_at + interval '${TOO_LATE}' as pointless
  from surveys s join accounts a on a.account_id = s.account_id
    join customers c on c.account_id = s.account_id and c.id = s.customer_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
  where s.account_id = $account::integer and s.id = any($ids::uuid[]) and s.leased_by = $lease
    and s.reminder_status = 'scheduled' and s.completed_at is null
  order by c.id, s.id for key share of c for no key update of s`)
const note = statement<{ account: number; outcomes: string }, never>(`
  update surveys s set reminder_status = o.status, leased_by = null
  from json_to_recordset($outcomes::json) as o(survey uuid, status text)
  where s.account_id = $account::integer and s.id = o.survey`)

/** Reminds those who have not answered, and notes what became of it, in one transaction: each is said once. */
async function remind(tx: AccountTx, deps: Deps, lease: string, ids: readonly string[]): Promise<void> {
  const due = await tx.all(take, { lease, ids })
  if (due.length === 0) return
  const worth = due.filter(({ pointless }) => !pointless)
  const said = await say(
    tx,
    deps,
    worth.map(({ survey, trip, customer }) => {
      const values = { 'survey.link': surveyUrl(deps, { account: tx.account, survey }) }
      return { kind: 'survey_reminder', customer, seat: null, trip, values: () => values }
    }),
  )
  const sent = new Set(worth.filter((_, at) => 'communication' in (said[at] ?? {})).map(({ survey }) => survey))
  const outcomes = due.map(({ survey }) => ({ survey, status: sent.has(survey) ? 'sent' : 'skipped' }))
  tx.later(note, { outcomes: JSON.stringify(outcomes) })
}

/** The reminders of surveys of all accounts that are due. Those of an account where that fails wait for another claim. */
export function surveyReminderQueue(
  { db, log, ...deps }: Deps & { readonly db: Database; readonly log: Pick<Log, 'error'> },
  leaseMs = LEASE_MS,
): Queue {
  return {
    name: 'survey reminders',
    due: `select next_attempt_at as due_at from surveys where ${DUE}`,
    pollMs: POLL_MS,
    async claim() {
      const lease = randomUUID()
      const due = await db.askSystem('claim the due reminders of any survey', claimDue, { lease, ms: leaseMs })
      if (due.length === 0) return null
      return async () => {
        for (const [account, surveys] of Map.groupBy(due, (one) => one.account)) {
          const ids = surveys.map(({ id }) => id)
          await db
            .inAccount(account, (tx) => remind(tx, deps, lease, ids))
            .catch((error: unknown) => log.error({ err: error, account }, 'reminding of surveys failed'))
        }
      }
    },
  }
}
