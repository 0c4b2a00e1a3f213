import type { Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { maskedAttributes } from '../../../records/masked-attributes.ts'
import { customerAttributes } from '../customer-attributes.ts'
import { lockCustomer, type StoredCustomer } from '../customers.store.ts'
import { changeStored } from './save-customer.ts'

/** Fills the empty attributes of a customer, as far as the actor can see them. False if the customer does not exist. */
export async function fillCustomer(tx: AccountTx, actor: Actor, id: string, given: Values): Promise<boolean> {
  takeChangeNumber(tx)
  const stored: StoredCustomer | undefined = await tx.one(lockCustomer, { id })
  if (!stored) return false
  const masked = maskedAttributes(customerAttributes, actor.policies, stored.restricted.length > 0)
  const gaps = Object.entries(given).filter(([name]) => !masked.has(name) && (stored[name] ?? null) === null)
  changeStored(tx, actor, stored, Object.fromEntries(gaps))
  return true
}
