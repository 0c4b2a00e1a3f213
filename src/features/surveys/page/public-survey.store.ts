import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type AgencyLook, LOOK_SQL } from '../../../platform/page/look.ts'
import type { PublicSegment } from '../../trip-pages/public-trip.store.ts'
import { OPEN_SURVEY_SQL } from '../answer-window.ts'
import { RATED_SQL } from '../rated-segments.ts'

/** A segment that is asked about, and how the customer has rated it. */
export type RatedSegment = Pick<
  PublicSegment,
  'id' | 'type' | 'title' | 'place' | 'airline' | 'flight' | 'from' | 'to'
> & {
  readonly rating: number | null
}
export type SurveyDay = {
  readonly number: number
  readonly date: string | null
  readonly segments: readonly RatedSegment[]
}
/** What the page of a survey shows. */
export type PublicSurvey = AgencyLook & {
  /** A language tag. */
  readonly language: string
  readonly title: string
  readonly start: string | null
  readonly end: string | null
  readonly answered: boolean
  /** Whether it may be answered, or its answer changed. */
  readonly open: boolean
  readonly likelihood: number | null
  readonly comment: string | null
  /** Those on which something is asked about. */
  readonly days: readonly SurveyDay[]
}

const DAYS = `
  select coalesce(json_agg(json_build_object('number', d.day_number, 'date', d.date, 'segments', r.segments)
    order by d.position, d.day_number), '[]')
  from trip_days d cross join lateral (
    select json_agg(json_build_object('id', s.id, 'type', s.segment_type, 'title', s.title, 'place', s.location_name,
      'airline', s.airline_code, 'flight', s.flight_number, 'from', s.departure_airport, 'to', s.arrival_airport,
      'rating', (select x.rating from survey_ratings x
        where x.account_id = s.account_id and x.survey_id = v.id and x.segment_id = s.id)) order by s.position, s.id) as segments
    from trip_segments s where s.account_id = d.account_id and s.trip_day_id = d.id and s.trip_id = d.trip_id and ${RATED_SQL}) r
  where d.account_id = t.account_id and d.trip_id = t.id and r.segments is not null`

/** Missing if the account is closed, the customer is deleted or the trip is cancelled. */
export const readPublicSurvey = statement(
  { account: pg.integer, survey: pg.uuid },
  {
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
    /** A language tag. */
    language: pg.text,
    title: pg.text,
    start: pg.nullable(pg.text),
    end: pg.nullable(pg.text),
    answered: pg.boolean,
    /** Whether it may be answered, or its answer changed. */
    open: pg.boolean,
    likelihood: pg.nullable(pg.integer),
    comment: pg.nullable(pg.text),
    /** Those on which something is asked about. */
    days: pg.json<readonly SurveyDay[]>(),
  },
  `
  select ${LOOK_SQL}, coalesce(c.locale, t.settings ->> 'language', a.locale) as language, t.title,
    t.start_date::text as start, t.end_date::text as "end", v.completed_at is not null as answered,
    ${OPEN_SURVEY_SQL} as open,
    v.nps as likelihood, v.comment, (${DAYS}) as days
  from surveys v join accounts a on a.account_id = v.account_id and a.status = 'active'
    join trips t on t.account_id = v.account_id and t.id = v.trip_id and t.status <> 'cancelled'
    join customers c on c.account_id = v.account_id and c.id = v.customer_id and c.deleted_at is null
  where v.account_id = $account and v.id = $survey and ${notMovedSql('v.account_id')}`,
)

export const markStarted = statement(
  { account: pg.integer, survey: pg.uuid },
  {},
  'update surveys set started_at = now() where account_id = $account and id = $survey and started_at is null',
)
