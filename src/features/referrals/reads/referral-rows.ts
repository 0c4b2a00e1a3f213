import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { REFERRAL_PATH } from '../referral-token.ts'

type Kept = RowFrom<typeof listReferrals>
export type ReferralRow = Omit<Kept, 'token'> & { readonly address: string }

/** The codes of an account, newest first, with their results. */
export const listReferrals = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    token: pg.text,
    label: pg.nullable(pg.text),
    active: pg.boolean,
    visits: pg.integer,
    leads: pg.integer,
    conversions: pg.integer,
    customer: pg.nullable(pg.text),
    trip: pg.nullable(pg.text),
    assigned_to: pg.nullable(pg.text),
    company: pg.text,
  },
  `
  select r.id, r.token, r.label, r.active, r.visits,
    coalesce(l.leads, 0)::integer as leads, coalesce(l.conversions, 0)::integer as conversions,
    c.name as customer, t.reference_number as trip, s.email as assigned_to, o.name as company
  from referral_codes r
  join companies o on o.account_id = r.account_id and o.id = r.company_id
  left join (
    select referral_code_id, count(*) as leads, count(converted_at) as conversions
    from leads where account_id = $account and referral_code_id is not null group by referral_code_id
  ) l on l.referral_code_id = r.id
  left join customers c on c.account_id = r.account_id and c.id = r.customer_id and c.deleted_at is null
  left join trips t on t.account_id = r.account_id and t.id = r.trip_id
  left join seats s on s.account_id = r.account_id and s.id = r.assigned_to_id
  where r.account_id = $account order by r.created_at desc, r.id desc`,
)

/** Where the page of a code is. */
export const referralUrl = (publicUrl: string, token: string): string => `${publicUrl}${REFERRAL_PATH}/${token}`

export const withAddress = (publicUrl: string, { id, token, ...code }: Kept): ReferralRow => ({
  id,
  address: referralUrl(publicUrl, token),
  ...code,
})
