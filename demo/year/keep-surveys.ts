import { randomUUIDv7 } from 'node:crypto'
import { followUp, followUpDueSql } from '../../src/features/surveys/commands/follow-up.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { statement } from '../../src/platform/db/statement.ts'
import type { PastSurvey } from './past-surveys.ts'
import { secondsAfter, type Timeline } from './timeline.ts'
import { GESTURES } from './words.ts'
import { intoTable, writeRows } from './write-rows.ts'

const surveys = intoTable(
  'surveys',
  `id, trip_id, customer_id, advisor_id, invited_at, started_at, completed_at, nps, comment, reminder_status, reminder_due_at,
    next_attempt_at`,
)
const ratings = intoTable('survey_ratings', 'id, survey_id, segment_id, supplier_id, rating')
const gestures = intoTable('gestures', 'id, survey_id, description, amount, currency, created_at')
/** The tasks and notifications of a detractor are as old as the answer, and most are done and read. */
const backdate = statement(
  { account: pg.integer, followed: pg.jsonText },
  {},
  `
  with given as (
    select s.completed_at as at, s.follow_up_task_id as task, s.trip_id as trip, due, case when g.done then due + interval '3 hours' end as done
    from json_to_recordset($followed::json) as g(survey uuid, done boolean)
      join surveys s on s.account_id = $account::integer and s.id = g.survey
      join accounts a on a.account_id = s.account_id cross join lateral ${followUpDueSql('s.completed_at')} as d(due)
  ), told as (
    update notifications n set created_at = g.at, read_at = g.done from given g
    where n.account_id = $account and n.subject_id = g.trip and n.kind = 'survey_detractor'
  )
  update tasks t set created_at = g.at, updated_at = coalesce(g.done, g.at), due_at = g.due, completed_at = g.done,
    completed_by_id = case when g.done is not null then t.assigned_to_id end
  from given g where t.account_id = $account and t.id = g.task`,
)

const MADE_UP_AFTER_SECONDS = 26 * 3600

/** Keeps surveys with their ratings, the tasks that detractors opened, and what the agency gave to make up for it. */
export async function keepSurveys(
  tx: AccountTx,
  { time, currency }: { readonly time: Timeline; readonly currency: string },
  past: readonly PastSurvey[],
): Promise<void> {
  writeRows(tx, surveys, past.map(rowOf))
  writeRows(tx, ratings, past.flatMap(ratingsOf))
  const answered = past.flatMap(({ id, answer }) => (answer ? [{ id, ...answer }] : []))
  const detractors = answered.filter(({ isDetractor }) => isDetractor)
  for (const { id } of detractors) await followUp(tx, id)
  const followed = detractors.map(({ id }, nth) => ({ survey: id, done: nth > 0 }))
  tx.later(backdate, { followed: JSON.stringify(followed) })
  const made = [...detractors, ...answered.filter(({ nps, isDetractor }) => !isDetractor && nps <= 8)].slice(
    0,
    GESTURES.length,
  )
  writeRows(
    tx,
    gestures,
    made.map(({ id, at }, nth) => ({
      id: randomUUIDv7(),
      survey_id: id,
      ...GESTURES[nth],
      currency,
      created_at: earlier(secondsAfter(at, MADE_UP_AFTER_SECONDS), time.now),
    })),
  )
}

const rowOf = ({ id, trip, invited, started, answer, reminder, reminded }: PastSurvey) => ({
  id,
  trip_id: trip.id,
  customer_id: trip.customer,
  advisor_id: trip.advisor,
  invited_at: invited,
  started_at: started,
  completed_at: answer?.at ?? null,
  nps: answer?.nps ?? null,
  comment: answer?.comment ?? null,
  reminder_status: reminder,
  reminder_due_at: reminded,
  next_attempt_at: reminded,
})
const ratingsOf = ({ id, answer }: PastSurvey) =>
  (answer?.ratings ?? []).map(({ segment, supplier, rating }) => ({
    id: randomUUIDv7(),
    survey_id: id,
    segment_id: segment,
    supplier_id: supplier,
    rating,
  }))

const earlier = (instant: string, now: number): string => new Date(Math.min(Date.parse(instant), now)).toISOString()
