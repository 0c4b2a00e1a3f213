import Type from 'typebox'
import { TAG_LENGTH } from '../../catalogue/tags.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { Instant, maybe, Text } from '../../platform/http/shapes.ts'

const MOST_CUSTOMERS = 2_147_483_647

/** A restricted tag `r`. */
export const restrictedTagView: View = {
  name: { sql: 'r.name', schema: Text(TAG_LENGTH) },
  customers: {
    sql: `(select count(*)::integer from customers c
      where c.account_id = r.account_id and c.tags @> array[r.name] and c.deleted_at is null)`,
    schema: maybe(Type.Integer({ minimum: 0, maximum: MOST_CUSTOMERS, description: 'How many customers have it.' })),
    needs: ['view_restricted_customers'],
  },
  restricted_at: { sql: instantSql('r.created_at'), schema: Instant },
}
/** By name. */
export const listRestrictedTags = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(restrictedTagView, policies),
      from: 'restricted_tags r',
      where: ['r.account_id = $account', ...where],
      keys: [{ sql: 'r.name', pg: 'text' }],
      descending: false,
    },
    continues,
  ),
)
