import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { sendAutomated } from '../communications/commands/send-automated.ts'
import { type Surveying, surveyUrl } from './survey-address.ts'

/** Nothing was sent for so long that nobody remembers the trip as it was. */
const TOO_LATE = '14 days'
type Deps = Parameters<typeof sendAutomated>[1] & Surveying

/**
 * Those that are still held: what was answered or taken over since the claim needs none, or is somebody else's. Customers
 * are locked first and in their order, as a merge does it, so that the two cannot wait for each other.
 */
const take = statement(
  { account: pg.integer, lease: pg.uuid, ids: pg.list(pg.uuid) },
  { survey: pg.uuid, trip: pg.uuid, customer: pg.uuid, pointless: pg.boolean },
  `
  select s.id as survey, s.trip_id as trip, s.customer_id as customer,
    a.status <> 'active' or t.status = 'cancelled' or t.notification_preferences -> 'survey' is not distinct from 'false'
      or now() >= s.reminder_due_at + interval '${TOO_LATE}' as pointless
  from surveys s join accounts a on a.account_id = s.account_id
    join customers c on c.account_id = s.account_id and c.id = s.customer_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
  where s.account_id = $account::integer and s.id = any($ids::uuid[]) and s.leased_by = $lease
    and s.reminder_status = 'scheduled' and s.completed_at is null
  order by c.id, s.id for key share of c for no key update of s`,
)
const note = statement(
  { account: pg.integer, outcomes: pg.jsonText },
  {},
  `
  update surveys s set reminder_status = o.status, leased_by = null
  from json_to_recordset($outcomes::json) as o(survey uuid, status text)
  where s.account_id = $account::integer and s.id = o.survey`,
)

/** Sends the reminders and records their outcomes in one transaction, so that each is sent once. */
async function remind(tx: AccountTx, deps: Deps, lease: string, ids: readonly string[]): Promise<void> {
  const due = await tx.all(take, { lease, ids })
  if (due.length === 0) return
  const worth = due.filter(({ pointless }) => !pointless)
  const said = await sendAutomated(
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

const REMINDERS: DueRows = {
  name: 'survey reminders',
  table: 'surveys',
  key: ['id'],
  waiting: `reminder_status = 'scheduled' and completed_at is null`,
  pollMs: 5_000,
}

/** The reminders of surveys of all accounts that are due. */
export const surveyReminderQueue = (
  needs: Deps & { readonly db: Database; readonly log: Pick<Log, 'error'> },
  leaseMs?: number,
): Queue => dueRowsQueue(needs, REMINDERS, (tx, lease, ids) => remind(tx, needs, lease, ids), leaseMs)
