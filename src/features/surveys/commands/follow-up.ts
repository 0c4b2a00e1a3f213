import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { instantSql } from '../../../platform/db/view.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { openTask } from '../../tasks/commands/open-task.ts'

/** On the account's clock. */
const DUE_TIME = '09:00'

/** SQL of the next day from Monday to Friday. */
export const nextWorkdaySql = (day: string): string =>
  `${day} + case extract(isodow from ${day}) when 5 then 3 when 6 then 2 else 1 end`
/**
 * SQL of the due time of a follow-up to an answer at an instant, over the survey's account `a`: the morning of that
 * day.
 */
export const followUpDueSql = (answered: string): string => `(
  select (${nextWorkdaySql('day')} + time '${DUE_TIME}') at time zone a.time_zone
  from (select (${answered} at time zone a.time_zone)::date as day) answered)`

/** The trip, who follows up, and by when. */
const readSurveyContext = statement(
  { account: pg.integer, survey: pg.uuid },
  { trip: pg.uuid, reference: pg.text, seat: pg.nullable(pg.uuid), due: pg.text },
  `
  select t.id as trip, t.reference_number as reference, coalesce(v.id, a.owner_id) as seat, ${instantSql(followUpDueSql('now()'))} as due
  from surveys s join accounts a on a.account_id = s.account_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
    left join seats v on v.account_id = s.account_id and v.id = s.advisor_id and v.active
  where s.account_id = $account::integer and s.id = $survey`,
)
const note = statement(
  { account: pg.integer, survey: pg.uuid, task: pg.uuid },
  {},
  'update surveys set follow_up_task_id = $task where account_id = $account::integer and id = $survey',
)

/**
 * Creates a task for the trip's advisor, or the account's owner, to call a detractor. It does not contain the
 * customer's name.
 */
export async function followUp(tx: AccountTx, survey: string): Promise<void> {
  const context = await tx.one(readSurveyContext, { survey })
  if (!context) return
  const { trip, reference, seat, due } = context
  const task = openTask(tx, {
    subject: `Talk to the customer of ${reference}`,
    body: 'The customer answered in the survey that they would not recommend us. See the answer in the performance dashboard.',
    priority: 'high',
    due_at: due,
    assigned_to_id: seat,
    taskable_type: 'Trip',
    taskable_id: trip,
  })
  tx.later(note, { survey, task })
  if (seat === null) return
  notify(tx, {
    seat,
    kind: 'survey_detractor',
    title: `The customer of ${reference} would not recommend us`,
    body: null,
    priority: 'high',
    subjectType: 'Trip',
    subjectId: trip,
    subjectLabel: reference,
  })
}
