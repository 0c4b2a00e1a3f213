import { firstOf } from '../../../platform/db/first-of.ts'
import { namesRestrictedSql } from '../../customers/reads/restricted.ts'

/** SQL over a lead: the customer that it is, or is stated to be. */
export const leadCustomerSql = (lead: string): string => firstOf(`${lead}.customer_id`, `${lead}.imported_customer_id`)
/** SQL over a lead: whether that is such a customer. */
export const restrictedLeadSql = (lead: string): string => namesRestrictedSql(lead, leadCustomerSql(lead))
