import type { Policies } from '../../../platform/access/policies.ts'
import { namesRestrictedSql, personalSql } from '../../customers/reads/restricted.ts'

/** The traveller's name: hidden if the customer is. */
export const tripTravelerNameSql = (policies: Policies) =>
  personalSql(
    namesRestrictedSql('x', 'any (array[x.customer_id, d.customer_id])'),
    `coalesce(x.name, nullif(concat_ws(' ', d.first_name, d.last_name), ''), c.name)`,
    policies,
  )
