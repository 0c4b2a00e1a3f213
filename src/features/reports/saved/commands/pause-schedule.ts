import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { notify } from '../../../../platform/notify.ts'
import { SAVED_REPORT } from '../saved-report-attributes.ts'
import { lockStanding, pauseStored, type Standing } from '../standing.store.ts'

const RESUME =
  'To have it sent again, resume it with a key that may: PATCH it with "schedule_paused": false, or run: backdesk report schedule ID --resume'

/** Pauses a schedule whose seat or key may not have it sent any more. Answers whether it did. */
export async function pauseFallen(tx: AccountTx, id: string): Promise<boolean> {
  const standing = await tx.one(lockStanding, { id })
  const reason = standing && whyPaused(standing)
  if (!standing || reason === null || reason === undefined) return false
  tx.later(pauseStored, { id, reason })
  auditOwn(tx, {
    action: 'saved_report.paused',
    subjectType: 'saved_report',
    subjectId: id,
    details: { reason },
  })
  const { name, seat, owner, active } = standing
  const told = new Set([owner, active ? seat : null].filter((each) => each !== null))
  notify(
    tx,
    ...[...told].map((each) => ({
      seat: each,
      kind: 'report_paused' as const,
      title: `Schedule paused: ${name}`,
      body: `${reason} ${RESUME}`,
      priority: 'high' as const,
      subjectType: SAVED_REPORT,
      subjectId: id,
      subjectLabel: name,
    })),
  )
  return true
}

function whyPaused({ active, key_state, key_name, lacking }: Standing): string | null {
  if (key_state === 'unknown') return 'It is not known which API key saved the report.'
  if (key_state !== null)
    return `The API key “${key_name}” that saved the report ${key_state === 'revoked' ? 'was revoked' : 'has expired'}.`
  if (!active) return 'The seat that saved the report is not active any more.'
  return lacking.length > 0 ? `Whoever saved the report lacks ${lacking.join(', ')} by now, which it needs.` : null
}
