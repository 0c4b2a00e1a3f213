import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

const FORGOTTEN_AFTER = "interval '1 hour'"
const LONGEST_WAIT_S = 900
/** No wait grows beyond the longest, which is less than 2 ^ 10 seconds. */
const MOST_DOUBLINGS = 10

/** In an order that is the same everywhere, so that two attempts do not wait for each other. */
export const lockSubjects = statement(
  { subjects: pg.list(pg.bytes) },
  { locked: pg.nothing },
  `
  select pg_advisory_xact_lock(hashtext('sign-in'), hashtext(encode(subject, 'hex'))) as locked
  from unnest($subjects::bytea[]) subject`,
)
/** Counts an attempt for each subject, unless one of them has to wait: then it answers for how long, and counts none. */
export const countAttempt = statement(
  { subjects: pg.list(pg.bytes), free: pg.list(pg.integer) },
  { seconds: pg.filled(pg.integer) },
  `
  with asked as (
    select n.subject, case when a.failures >= n.free then
      extract(epoch from a.last_failed_at - now()) + least(2 ^ least(a.failures - n.free, ${MOST_DOUBLINGS}), ${LONGEST_WAIT_S}) end as wait
    from unnest($subjects::bytea[], $free::integer[]) as n(subject, free)
      left join sign_in_attempts a on a.subject = n.subject and a.last_failed_at > now() - ${FORGOTTEN_AFTER}
  ), longest as (select coalesce(ceil(greatest(max(wait), 0)), 0)::integer as seconds from asked),
  counted as (
    insert into sign_in_attempts as a (subject, failures, last_failed_at)
    select subject, 1, now() from asked, longest where seconds = 0
    on conflict (subject) do update set last_failed_at = now(),
      failures = case when a.last_failed_at > now() - ${FORGOTTEN_AFTER} then a.failures + 1 else 1 end
  )
  select seconds from longest`,
)
/** Takes back one attempt of each subject. */
export const forgetAttempt = statement(
  { subjects: pg.list(pg.bytes) },
  {},
  'update sign_in_attempts set failures = failures - 1 where subject = any ($subjects::bytea[]) and failures > 0',
)
export const purgeSignInAttempts = statement(
  {},
  {},
  `delete from sign_in_attempts where last_failed_at <= now() - ${FORGOTTEN_AFTER}`,
)
