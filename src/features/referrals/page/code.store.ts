import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type AgencyLook, LOOK_SQL } from '../../../platform/page/look.ts'

/** A code that is handed on still: whose it is, and what reading an enquiry depends on. */
export type Code = AgencyLook & {
  readonly account: number
  readonly id: string
  readonly timeZone: string
  readonly country: string
  readonly currency: string
}

/** Stopped codes, and codes of closed accounts, are treated like unknown ones. */
export const findCode = statement(
  { token: pg.text },
  {
    account: pg.integer,
    id: pg.uuid,
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
    timeZone: pg.text,
    country: pg.text,
    currency: pg.text,
  },
  `
  select r.account_id as account, r.id, ${LOOK_SQL}, a.time_zone as "timeZone", c.tax_country as country, c.currency
  from referral_codes r join accounts a on a.account_id = r.account_id and a.status = 'active'
  join companies c on c.account_id = r.account_id and c.id = r.company_id
  where r.token = $token and r.active and ${notMovedSql('r.account_id')}`,
)

export const findCodeDesk = statement(
  { account: pg.integer, code: pg.uuid },
  { company: pg.uuid, seat: pg.nullable(pg.uuid), branch: pg.nullable(pg.uuid) },
  `
  select r.company_id as company, s.id as seat, b.id as branch
  from referral_codes r join accounts a on a.account_id = r.account_id
  left join trips t on t.account_id = r.account_id and t.id = r.trip_id
  left join lateral (
    select s.account_id, s.id, s.branch_id from seats s
    where s.account_id = r.account_id and s.active and s.id in (r.assigned_to_id, t.assigned_advisor_id, a.owner_id)
    order by case s.id when r.assigned_to_id then 1 when t.assigned_advisor_id then 2 else 3 end limit 1
  ) s on true
  left join branches b on b.account_id = s.account_id and b.id = s.branch_id and b.company_id = r.company_id
  where r.account_id = $account and r.id = $code and r.active`,
)

export const findLead = statement(
  { account: pg.integer, lead: pg.uuid },
  { id: pg.uuid },
  'select id from leads where account_id = $account and id = $lead',
)
