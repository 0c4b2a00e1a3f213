import Type from 'typebox'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'

export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const MOST_PERIODS = 1_000
/** A billing `g` of a company `c`, and its documents `l`. */
const BILLINGS = `bsp_billings g join companies c on c.account_id = g.account_id and c.id = g.company_id
  cross join lateral (select count(*)::integer as documents, min(issued_on) as first_issue, max(issued_on) as last_issue,
      coalesce(json_agg(distinct period_on) filter (where period_on is not null), '[]') as periods
    from bsp_lines where account_id = g.account_id and billing_id = g.id) l`

export const billingView: View = {
  id: { sql: 'g.id', schema: Uuid },
  company: {
    sql: `json_build_object('id', c.id, 'name', c.name)`,
    schema: Type.Object({ id: Uuid, name: Text(1000) }),
  },
  format: { sql: 'g.format', schema: enumOf(['csv', 'hot']) },
  filename: { sql: 'g.filename', schema: Text(255) },
  documents: { sql: 'l.documents', schema: Count },
  first_issue: { sql: 'l.first_issue', schema: maybe(Day) },
  last_issue: { sql: 'l.last_issue', schema: maybe(Day) },
  periods: {
    sql: 'l.periods',
    schema: Type.Array(Day, { maxItems: MOST_PERIODS, description: 'The last days of the billing periods.' }),
  },
  uploaded_at: { sql: instantSql('g.created_at'), schema: Instant },
}
/** Newest first. */
export const listAllBillings = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(billingView, policies),
      from: BILLINGS,
      where: ['g.account_id = $account', ...where],
      keys: [{ sql: 'g.id', pg: 'uuid' }],
      descending: true,
    },
    continues,
  ),
)
