import type { AuditEntry } from '../../platform/audit.ts'

/** The audit entry of an exported report. */
export const reportExported = (
  subjectType: 'report' | 'saved_report',
  subjectId: string,
  format: string,
): AuditEntry => ({
  action: 'report.exported',
  subjectType,
  subjectId,
  details: { format },
})
