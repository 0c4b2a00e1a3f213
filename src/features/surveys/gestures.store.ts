import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** The gestures of an account, newest first. */
export const listGestures = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    survey: pg.uuid,
    trip: pg.text,
    description: pg.text,
    amount: pg.nullable(pg.text),
    currency: pg.nullable(pg.text),
    recorded_at: pg.text,
  },
  `
  select g.id, g.survey_id as survey, t.reference_number as trip, g.description, money_text(g.amount, g.currency) as amount,
    g.currency, ${instantSql('g.created_at')} as recorded_at
  from gestures g join surveys s on s.account_id = g.account_id and s.id = g.survey_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
  where g.account_id = $account order by g.created_at desc, g.id desc`,
)
