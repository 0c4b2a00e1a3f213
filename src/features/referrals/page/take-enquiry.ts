import type { Values } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { keepEnquiry } from '../../leads/commands/enquire.ts'
import { countEnquiry, type Visit } from '../visits.store.ts'
import { findCodeDesk, findLead } from './code.store.ts'

export type Enquiry = {
  readonly visit: Visit
  /** The lead id in the form. */
  readonly lead: string
  readonly values: Values
}

/** Makes a lead of an enquiry, once for each form; `stopped` where the code was, and nothing is made of it. */
export async function takeEnquiry(
  tx: AccountTx,
  { visit, lead, values }: Enquiry,
): Promise<'taken' | 'too_many' | 'stopped'> {
  takeChangeNumber(tx) // locks the account's enquiries, so that none is created twice and the limit is exact
  const [desk, known] = await Promise.all([tx.one(findCodeDesk, visit), tx.one(findLead, { lead })])
  if (!desk) return 'stopped'
  if (known) return 'taken'
  if (!(await tx.one(countEnquiry, visit))?.counted) return 'too_many'
  keepEnquiry(tx, { id: lead, ...desk, referral: visit.code }, values)
  return 'taken'
}
