import type { Policies } from '../../../platform/access/policies.ts'
import { namesRestrictedSql, personalSql } from '../../customers/reads/restricted.ts'

/** Who travels: hidden with the customer that a traveller is, or in whose directory it is. */
export const tripTravelerNameSql = (policies: Policies) =>
  personalSql(
    namesRestrictedSql('x', 'any (array[x.customer_id, d.customer_id])'),
    `coalesce(x.name, nullif(concat_ws(' ', d.first_name, d.last_name), ''), c.name)`,
    policies,
  )
