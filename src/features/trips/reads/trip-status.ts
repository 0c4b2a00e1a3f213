/** The statuses that a user sets. Those of a confirmed trip that has begun follow from its dates. */
export const SET_STATUSES = ['draft', 'planning', 'proposed', 'on_hold', 'confirmed', 'cancelled'] as const
export const TRIP_STATUSES = [
  'draft',
  'planning',
  'proposed',
  'on_hold',
  'confirmed',
  'in_progress',
  'completed',
  'cancelled',
] as const

/** SQL of the day on the clock of the account of a trip `t`. */
export const TODAY_SQL =
  '(select (now() at time zone a.time_zone)::date from accounts a where a.account_id = t.account_id)'

/** SQL of the state of a trip `t`: a confirmed one is in progress on its days, and completed from the day after. */
export const statusSql = (today: string): string => `case when t.status = 'confirmed' and t.start_date <= ${today}
  then case when coalesce(t.end_date, t.start_date) < ${today} then 'completed' else 'in_progress' end
  else t.status end`
export const STATUS_SQL = statusSql(TODAY_SQL)
