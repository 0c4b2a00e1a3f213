import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** Of accounts with a visit by a code on a day of their calendar. */
export type Visit = {
  readonly account: number
  readonly code: string
  readonly day: string
  /** Hash that distinguishes the visitors of one day and code, and nothing else. */
  readonly visitor: Buffer
}

const ENQUIRIES_OF_A_VISITOR = 5
const ENQUIRIES_OF_A_CODE = 100

/** Counts a visitor of the day once. */
export const countVisit = statement(
  {
    account: pg.integer,
    code: pg.uuid,
    day: pg.date,
    /** Hash that distinguishes the visitors of one day and code, and nothing else. */
    visitor: pg.bytes,
  },
  {},
  `
  with visit as (
    insert into referral_visits (account_id, referral_code_id, day, visitor)
    values ($account::integer, $code::uuid, $day::date, $visitor::bytea)
    on conflict (account_id, referral_code_id, day, visitor) do nothing returning account_id, referral_code_id
  )
  update referral_codes c set visits = c.visits + 1 from visit v
  where c.account_id = v.account_id and c.id = v.referral_code_id`,
)

/** Counts an enquiry, unless the visitor or all visitors of the code have sent as many today as they may. */
export const countEnquiry = statement(
  {
    account: pg.integer,
    code: pg.uuid,
    day: pg.date,
    /** Hash that distinguishes the visitors of one day and code, and nothing else. */
    visitor: pg.bytes,
  },
  { counted: pg.boolean },
  `
  with today as (
    select coalesce(sum(enquiries), 0) as of_code, coalesce(sum(enquiries) filter (where visitor = $visitor), 0) as of_visitor
    from referral_visits where account_id = $account::integer and referral_code_id = $code::uuid and day = $day::date
  ), counted as (
    insert into referral_visits as v (account_id, referral_code_id, day, visitor, enquiries)
    select $account, $code, $day, $visitor::bytea, 1 from today
    where of_code < ${ENQUIRIES_OF_A_CODE} and of_visitor < ${ENQUIRIES_OF_A_VISITOR}
    on conflict (account_id, referral_code_id, day, visitor) do update set enquiries = v.enquiries + 1
    returning v.day
  )
  select exists (select from counted) as counted`,
)

export const purgeVisits = statement({ day: pg.date }, {}, 'delete from referral_visits where day < $day::date')
