import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'

const LONGEST_TERMS_DAYS = 365
const update = statement<{ account: number; id: string; days: number }, { id: string }>(
  'update companies set payment_terms_days = $days where account_id = $account and id::text = lower($id) returning id',
)

/** Sets how many days after its date a customer invoice of the company is due; invoices that are posted stay. */
export async function updateCompany(
  tx: SystemTx,
  account: number,
  id: string,
  paymentTermsDays: number,
): Promise<void> {
  if (!Number.isInteger(paymentTermsDays) || paymentTermsDays < 0 || paymentTermsDays > LONGEST_TERMS_DAYS)
    throw new Error(`Payment terms are whole days from 0 to ${LONGEST_TERMS_DAYS}.`)
  const changed = await tx.one(update, { account, id, days: paymentTermsDays })
  if (!changed) throw new Error('The account has no such company. See: backdesk company list')
}
