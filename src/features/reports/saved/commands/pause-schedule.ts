import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { notify } from '../../../notifications/commands/notify.ts'
import { SAVED_REPORT } from '../saved-report-attributes.ts'
import { lockScheduleRights, pauseStored, type ScheduleRights } from '../schedule-rights.store.ts'

/** How the seat that is notified resumes it. */
const resumeText = (id: string): string =>
  `To resume it, send PATCH /api/v1/saved_reports/${id} with {"saved_report": {"schedule_paused": false}} and a key whose role has the policies that the report needs.`

/** Pauses a schedule if its seat or key may not have it sent any more. Answers whether it did. */
export async function pauseIfNotAllowed(tx: AccountTx, id: string): Promise<boolean> {
  const rights = await tx.one(lockScheduleRights, { id })
  const reason = rights && whyPaused(rights)
  if (!rights || reason === null || reason === undefined) return false
  tx.later(pauseStored, { id, reason })
  auditOwn(tx, {
    action: 'saved_report.paused',
    subjectType: 'saved_report',
    subjectId: id,
    details: { reason },
  })
  const { name, seat, owner, active } = rights
  const notified = new Set([owner, active ? seat : null].filter((each) => each !== null))
  notify(
    tx,
    ...[...notified].map((each) => ({
      seat: each,
      kind: 'report_paused' as const,
      title: `Schedule paused: ${name}`,
      body: `${reason} ${resumeText(id)}`,
      priority: 'high' as const,
      subjectType: SAVED_REPORT,
      subjectId: id,
      subjectLabel: name,
    })),
  )
  return true
}

function whyPaused({ active, key_state, key_name, lacking }: ScheduleRights): string | null {
  if (key_state === 'unknown') return 'The API key that saved the report is unknown.'
  if (key_state !== null)
    return `The API key “${key_name}” that saved the report ${key_state === 'revoked' ? 'was revoked' : 'has expired'}.`
  if (!active) return 'The seat that saved the report is no longer active.'
  return lacking.length > 0
    ? `The report needs ${lacking.join(', ')}, which the seat or the role of the key that saved it no longer has.`
    : null
}
