import type { AccountReader } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { instantSql } from '../../../platform/db/view.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { type Surveying, surveyUrl } from '../survey-address.ts'

/** A survey as an operator looks at it. */
export type SurveyRow = RowFrom<typeof read>

const read = statement(
  { account: pg.integer, limit: pg.integer },
  {
    id: pg.uuid,
    trip: pg.text,
    customer: pg.nullable(pg.text),
    advisor: pg.nullable(pg.text),
    invited_at: pg.text,
    started_at: pg.nullable(pg.text),
    completed_at: pg.nullable(pg.text),
    nps: pg.nullable(pg.integer),
    reminder: pg.text,
  },
  `
  select s.id, t.reference_number as trip, c.name as customer, v.name as advisor, ${instantSql('s.invited_at')} as invited_at,
    ${instantSql('s.started_at')} as started_at, ${instantSql('s.completed_at')} as completed_at, s.nps, s.reminder_status as reminder
  from surveys s join trips t on t.account_id = s.account_id and t.id = s.trip_id
    left join customers c on c.account_id = s.account_id and c.id = s.customer_id and c.deleted_at is null
    left join seats v on v.account_id = s.account_id and v.id = s.advisor_id
  where s.account_id = $account order by s.invited_at desc, s.id desc limit $limit`,
)
const find = statement(
  { account: pg.integer, survey: pg.uuid },
  { survey: pg.uuid },
  'select id as survey from surveys where account_id = $account and id = $survey',
)

/** Surveys, the newest invitation first. */
export const surveyRows = (reader: AccountReader, limit: number): Promise<SurveyRow[]> => reader.all(read, { limit })

/** Where a survey of the account is answered. */
export async function surveyLink(reader: AccountReader, deps: Surveying, survey: string): Promise<string> {
  const found = await reader.one(find, { survey })
  if (!found) throw new RecordNotFound('survey', `No survey ${survey} exists in this account.`)
  return surveyUrl(deps, { account: reader.account, survey: found.survey })
}
