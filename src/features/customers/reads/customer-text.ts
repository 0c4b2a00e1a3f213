import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { viewSchema } from '../../../platform/db/view.ts'
import type { JsonText } from '../../../platform/json-text.ts'
import { readCustomer } from '../customers.store.ts'
import { customerDetail } from '../customers.view.ts'

export const CustomerShape = viewSchema(customerDetail, 'Customer')

/** A customer as JSON, as the role sees it; null if it does not exist. */
export async function readCustomerText(
  reader: AccountReader,
  policies: Policies,
  id: string,
): Promise<JsonText<never> | null> {
  return (await reader.one(readCustomer(policies), { id }))?.item ?? null
}
