import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { OPEN_SURVEY_SQL } from '../answer-window.ts'
import { RATED_SQL } from '../rated-segments.ts'
import { followUp } from './follow-up.ts'

/** A customer's answer about a trip. Segments that are not named stay unrated. */
export type SurveyAnswer = {
  /** How likely it is that the customer recommends the agency: 0 to 10. */
  readonly likelihood: number
  readonly comment: string | null
  readonly ratings: readonly { readonly segment: string; readonly rating: number }[]
}

/** Up to this one a customer would rather advise against the agency. */
const DETRACTOR_MOST = 6
/** Answers that come at the same time follow each other. */
const lock = statement(
  { account: pg.integer, survey: pg.uuid },
  { nps: pg.nullable(pg.integer), task: pg.nullable(pg.uuid) },
  `
  select v.nps, v.follow_up_task_id as task from surveys v
  where v.account_id = $account and v.id = $survey and ${OPEN_SURVEY_SQL} for no key update`,
)
/** No reminder is sent once the survey is answered. */
const keep = statement(
  { account: pg.integer, survey: pg.uuid, likelihood: pg.integer, comment: pg.nullable(pg.text) },
  {},
  `
  update surveys set nps = $likelihood, comment = $comment, started_at = coalesce(started_at, now()),
    completed_at = coalesce(completed_at, now()), leased_by = null,
    reminder_status = case reminder_status when 'scheduled' then 'skipped' else reminder_status end
  where account_id = $account::integer and id = $survey`,
)
const dropRatings = statement(
  { account: pg.integer, survey: pg.uuid },
  {},
  'delete from survey_ratings where account_id = $account and survey_id = $survey',
)
const keepRatings = statement(
  { account: pg.integer, survey: pg.uuid, ratings: pg.jsonText },
  {},
  `
  insert into survey_ratings (account_id, survey_id, segment_id, supplier_id, rating)
  select v.account_id, v.id, s.id, s.supplier_id, r.rating
  from json_to_recordset($ratings::json) as r(segment uuid, rating smallint)
    join surveys v on v.account_id = $account::integer and v.id = $survey
    join trip_segments s on s.account_id = v.account_id and s.id = r.segment and s.trip_id = v.trip_id and ${RATED_SQL}`,
)

/**
 * Stores an answer, replacing the previous one. Does nothing if the survey is closed. If the customer becomes a
 * detractor, a seat is notified once.
 */
export async function answerSurvey(tx: AccountTx, survey: string, answer: SurveyAnswer): Promise<void> {
  const { likelihood, comment, ratings } = answer
  const before = await tx.one(lock, { survey })
  if (!before) return
  tx.later(keep, { survey, likelihood, comment })
  tx.later(dropRatings, { survey })
  tx.later(keepRatings, { survey, ratings: JSON.stringify(ratings) })
  const wasDetractor = before.task !== null || isDetractor(before.nps)
  if (isDetractor(likelihood) && !wasDetractor) await followUp(tx, survey)
}

const isDetractor = (likelihood: number | null): boolean => likelihood !== null && likelihood <= DETRACTOR_MOST
