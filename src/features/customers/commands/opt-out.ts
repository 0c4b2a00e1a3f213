import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'

/** The surviving customer, if it was merged. */
const optOut = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  `
  update customers set opted_in_marketing = false, opted_in_at = null
  where account_id = $account and opted_in_marketing and deleted_at is null
    and id = (select coalesce(merged_into_id, id) from customers where account_id = $account and id = $id)
  returning id`,
)

/** Takes back a customer's consent to marketing, at its own wish; again it changes nothing. */
export async function optOutOfMarketing(tx: AccountTx, id: string): Promise<void> {
  takeChangeNumber(tx)
  const customer = await tx.one(optOut, { id })
  if (!customer) return
  auditOwn(tx, { action: 'customer.unsubscribed', subjectType: 'customer', subjectId: customer.id })
}
