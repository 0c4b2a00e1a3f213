import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { sendAutomated } from '../communications/commands/send-automated.ts'
import { type Surveying, surveyUrl } from './survey-address.ts'
import { noteReminded, takeDueSurveys } from './survey-reminders.store.ts'

type Deps = Parameters<typeof sendAutomated>[1] & Surveying

/** Sends the reminders and records their outcomes in one transaction, so that each is sent once. */
async function remind(tx: AccountTx, deps: Deps, lease: string, ids: readonly string[]): Promise<void> {
  const due = await tx.all(takeDueSurveys, { lease, ids })
  if (due.length === 0) return
  const toSend = due.filter(({ pointless }) => !pointless)
  const results = await sendAutomated(
    tx,
    deps,
    toSend.map(({ survey, trip, customer }) => {
      const values = { 'survey.link': surveyUrl(deps, { account: tx.account, survey }) }
      return { kind: 'survey_reminder', customer, seat: null, trip, values: () => values }
    }),
  )
  const sent = new Set(toSend.filter((_, at) => 'communication' in (results[at] ?? {})).map(({ survey }) => survey))
  const outcomes = due.map(({ survey }) => ({ survey, status: sent.has(survey) ? 'sent' : 'skipped' }))
  tx.later(noteReminded, { outcomes: JSON.stringify(outcomes) })
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
