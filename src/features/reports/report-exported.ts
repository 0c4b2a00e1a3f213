import type { AuditEntry } from '../../platform/audit.ts'

/** A report that left as a file. */
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
