import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { dropRecoveryCodes, insertRecoveryCodes } from '../recovery-codes.store.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../recovery-codes.ts'

/** Makes new recovery codes for a seat, and withdraws its earlier ones. They are kept nowhere else. */
export function renewRecoveryCodes(tx: AccountTx, seat: string): string[] {
  const codes = newRecoveryCodes()
  tx.later(dropRecoveryCodes, { seat })
  tx.later(insertRecoveryCodes, { seat, hashes: codes.map(hashRecoveryCode) })
  auditOwn(tx, { action: 'seat.recovery_codes_made', subjectType: 'seat', subjectId: seat })
  return codes
}
