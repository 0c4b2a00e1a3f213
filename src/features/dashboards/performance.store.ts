import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { performance } from './performance.view.ts'
/** The variant for one advisor; it returns no row if the account has no such seat. */
export const OF_ADVISOR = 'of an advisor'

/**
 * The performance of a window, as one row. Surveys and ratings are scanned once; all figures are sums of these by
 * advisor and supplier. The reader is that of the reports, whose plans are made for the window.
 */
export const readPerformance = byPolicies(
  { account: pg.integer, days: pg.integer, since: pg.instant, advisor: pg.nullable(pg.uuid) },
  { item: pg.printedJson },
  (policies, variant) => `
  with asked as materialized (
    select s.id, s.advisor_id, s.started_at, s.completed_at, s.nps
    from surveys s
    where s.account_id = $account and s.invited_at >= $since::timestamptz
      ${variant === OF_ADVISOR ? 'and s.advisor_id = $advisor::uuid' : ''}
  ),
  rated as materialized (
    select a.advisor_id, r.supplier_id, count(*) as ratings, sum(r.rating) as stars
    from asked a join survey_ratings r on r.account_id = $account and r.survey_id = a.id
    where a.completed_at is not null
    group by a.advisor_id, r.supplier_id
  ),
  by_advisor as materialized (
    select i.*, r.ratings, r.stars
    from (
      select advisor_id, count(*) as invited, count(started_at) as started, count(completed_at) as completed,
        count(*) filter (where nps >= 9) - count(*) filter (where nps <= 6) as balance
      from asked group by advisor_id
    ) i left join (
      select advisor_id, sum(ratings) as ratings, sum(stars) as stars from rated group by advisor_id
    ) r on r.advisor_id is not distinct from i.advisor_id
  )
  select ${viewSql(performance, policies)}::text as item
  from (
    select coalesce(sum(invited), 0) as invited, coalesce(sum(started), 0) as started,
      coalesce(sum(completed), 0) as completed, sum(balance) as balance, sum(ratings) as ratings, sum(stars) as stars
    from by_advisor
  ) f
  ${variant === OF_ADVISOR ? 'where exists (select from seats s where s.account_id = $account and s.id = $advisor::uuid)' : ''}`,
  [OF_ADVISOR],
)
