import type { AccountSecrets } from '../../../platform/account-secrets.ts'
import { audit } from '../../../platform/audit.ts'
import type { RowFrom } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { UserError } from '../../../platform/user-error.ts'
import { requireAccount } from '../../accounts/reads/require-account.ts'
import { dropEntries, findLinkBefore } from '../chain.store.ts'
import { chainKeys, checkpointMac } from '../chain-mac.ts'

/** The database refuses to drop younger entries. */
const LEAST_YEARS = 1
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/**
 * Deletes the entries before a month, `2025-01`, and leaves a signed checkpoint, from which the chain goes on. Returns
 * how many were deleted.
 */
export async function dropOldEntries(
  tx: SystemTx,
  secrets: AccountSecrets,
  { account, before, now }: { readonly account: number; readonly before: string; readonly now: number },
  operator: Operator,
): Promise<number> {
  const { uuid } = await requireAccount(tx, account)
  if (!MONTH.test(before))
    throw new UserError('invalid_value', `${before} is not a month. Use a month such as 2025-01.`)
  const day = `${before}-01`
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() - LEAST_YEARS)
  if (new Date(day) > latest)
    throw new UserError('not_allowed_now', 'Entries of the audit log are kept for a year. Choose an earlier month.')
  const last = await tx.one(findLinkBefore, { account, before: day })
  const dropped = last ? await dropThrough(tx, secrets, account, last) : 0
  await audit(tx, account, operator, {
    action: 'audit_log.dropped',
    subjectType: 'account',
    subjectId: uuid,
    details: { before, dropped },
  })
  return dropped
}

async function dropThrough(
  tx: SystemTx,
  secrets: AccountSecrets,
  account: number,
  { seq, mac }: RowFrom<typeof findLinkBefore>,
): Promise<number> {
  const signature = checkpointMac(chainKeys(secrets, account).own, account, BigInt(seq), mac)
  const found = await tx.one(dropEntries, { account, through: seq, head: mac, signature })
  return Number(found?.dropped ?? 0)
}
