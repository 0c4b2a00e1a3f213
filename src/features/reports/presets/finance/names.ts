import type { Policies } from '../../../../platform/access/policies.ts'
import { personalSql, restrictedSql } from '../../../customers/reads/restricted.ts'

/**
 * SQL of the names in a row, using `joinNames`. Finance reports may have as many rows as there are documents; a join
 * runs per row or once for all, whichever is cheaper.
 */
export const namesFor = (policies: Policies): string => `
  ${personalSql(restrictedSql('of_customer'), 'of_customer.name', policies)} as customer, of_supplier.name as supplier,
  coalesce(of_advisor.name, of_advisor.email) as advisor, of_branch.name as branch, of_company.name as company`

const join = (table: string, name: string, row: string): string =>
  `left join ${table} of_${name} on of_${name}.account_id = $account and of_${name}.id = ${row}.${name}_id`
/** The joins of a row that has `customer_id`, `supplier_id`, `advisor_id`, `branch_id` and `company_id`. */
export const joinNames = (row: string): string =>
  [
    join('customers', 'customer', row),
    join('suppliers', 'supplier', row),
    join('seats', 'advisor', row),
    join('branches', 'branch', row),
    join('companies', 'company', row),
  ].join('\n  ')
