import Type from 'typebox'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { instantSql, seatSql, type View, viewSql } from '../../platform/db/view.ts'
import { Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const leadsOf = (counted: string) =>
  `(select count(${counted}) from leads l where l.account_id = r.account_id and l.referral_code_id = r.id)`

/** A referral code `r`. The address of its page is made of the token outside the database. */
export const referralView: View = {
  id: { sql: 'r.id', schema: Uuid },
  token: { sql: 'r.token', schema: Text(40) },
  label: { sql: 'r.label', schema: maybe(Text(200)) },
  active: { sql: 'r.active', schema: Type.Boolean() },
  visits: { sql: 'r.visits', schema: Count },
  leads: { sql: leadsOf('*'), schema: Count },
  conversions: { sql: leadsOf('l.converted_at'), schema: Count },
  company_id: { sql: 'r.company_id', schema: Uuid },
  customer: {
    sql: (
      policies,
    ) => `(select json_build_object('id', c.id, 'name', ${personalSql(restrictedSql('c'), 'c.name', policies)})
      from customers c where c.account_id = r.account_id and c.id = r.customer_id and c.deleted_at is null)`,
    schema: maybe(Type.Object({ id: Uuid, name: maybe(Text(200)) })),
  },
  trip: {
    sql: `(select json_build_object('id', t.id, 'reference_number', t.reference_number, 'title', t.title)
      from trips t where t.account_id = r.account_id and t.id = r.trip_id)`,
    schema: maybe(Type.Object({ id: Uuid, reference_number: Text(40), title: Text(200) })),
    needs: ['view_trips'],
  },
  assigned_to: { sql: seatSql('r.assigned_to_id', 'r.account_id'), schema: maybe(Seat) },
  created_at: { sql: instantSql('r.created_at'), schema: Instant },
}

/** The codes of an account, newest first. */
export const listReferralCodes = listing(
  {},
  { active: 'r.active', stopped: 'not r.active' },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(referralView, policies),
        from: 'referral_codes r',
        where: ['r.account_id = $account', ...where],
        keys: [
          { sql: 'r.created_at', pg: 'timestamptz' },
          { sql: 'r.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    ),
)
export const readReferralCode = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) => `
  select ${viewSql(referralView, policies)}::text as item from referral_codes r where r.account_id = $account and r.id = $id`,
)
