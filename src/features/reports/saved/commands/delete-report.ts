import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { withdrawNotifications } from '../../../notifications/commands/notify.ts'
import { SAVED_REPORT } from '../saved-report-attributes.ts'
import { deleteStoredReport as remove } from '../saved-reports.store.ts'

/** Deletes a saved report with its runs and their notifications; false if it does not exist. */
export async function deleteSavedReport(tx: AccountTx, id: string): Promise<boolean> {
  if (!(await tx.one(remove, { id }))) return false
  auditOwn(tx, { action: 'saved_report.deleted', subjectType: 'saved_report', subjectId: id })
  withdrawNotifications(tx, SAVED_REPORT, id)
  return true
}
