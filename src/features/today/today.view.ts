import type { Policies } from '../../platform/access/policies.ts'
import type { View } from '../../platform/db/view.ts'
import { Day, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

const customerSql = (policies: Policies) => `
  (select ${personalSql(restrictedSql('c'), 'c.name', policies)} from trip_customers x join customers c on c.account_id = x.account_id and c.id = x.customer_id
    where x.account_id = t.account_id and x.trip_id = t.id and x.is_primary and c.deleted_at is null)`

/** A trip `t` that begins or ends soon. */
export const travelItem = (date: 'start_date' | 'end_date'): View => ({
  id: { sql: 't.id', schema: Uuid },
  reference_number: { sql: 't.reference_number', schema: Text(40) },
  title: { sql: 't.title', schema: Text(200) },
  date: { sql: `t.${date}`, schema: Day },
  customer: { sql: customerSql, schema: maybe(Text(200)) },
})
