import { restrictedSql } from '../../imports/records/restricted.ts'

/** SQL over a lead `t`: whether it is, or is said to be, a customer who shows only to some who that is. */
export const restrictedLeadSql = `exists (select from customers c where c.account_id = t.account_id
  and c.id = coalesce(t.customer_id, t.imported_customer_id) and (${restrictedSql('c')}))`
