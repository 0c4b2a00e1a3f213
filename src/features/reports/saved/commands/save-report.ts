import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { complete, type Values } from '../../../../catalogue/read-cells.ts'
import { auditOwn } from '../../../../platform/audit.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { ApiError } from '../../../../platform/http/errors.ts'
import { Reasons } from '../../../../platform/http/reasons.ts'
import { readAttributes } from '../../../../records/attributes.ts'
import { maskedAttributes } from '../../../../records/masked-attributes.ts'
import { type Checked, type Checking, checkReport } from '../check-report.ts'
import type { ReportSources } from '../saved-preset.ts'
import { type SavedReport, savedReportAttributes } from '../saved-report-attributes.ts'
import {
  countSavedReports,
  insertSavedReport,
  lockSavedReport,
  type StoredReport,
  updateSavedReport,
} from '../saved-reports.store.ts'
import { savedReportDetail } from '../saved-reports.view.ts'
import { nextDue, scheduleOf } from '../schedule.ts'
import { addressesOutside } from '../schedule-rights.store.ts'

/** A generous limit; each may be run on a schedule. */
export const SAVED_REPORTS = 500
type Given = Record<string, unknown>
/** The seat that saves a report: scheduled runs see what the seat sees, and no more than the role does. */
export type Saver = Checking & {
  readonly timeZone: string
  readonly locale: string
  readonly seat: string
  /** The company that the seat's key is bound to; null for the seat's own. */
  readonly role: string | null
  /** Id of that key; null for a session, and for the command line. */
  readonly key: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Saves a report. Answers its id. */
export async function createSavedReport(
  tx: AccountTx,
  saver: Saver,
  given: Given,
  sources: ReportSources,
): Promise<string> {
  const reasons = new Reasons()
  const wanted = complete(savedReportAttributes, read(saver, given, true, reasons))
  const checked = checkReport(wanted, saver, sources, { reasons, names: true })
  const saved = await tx.one(countSavedReports, {})
  if ((saved?.count ?? 0) >= SAVED_REPORTS)
    reasons.add(['base', `An account has at most ${SAVED_REPORTS} saved reports. Delete one first.`])
  reasons.refuse()
  const outside = await outsideOf(tx, saver, checked.record)
  const id = randomUUIDv7()
  tx.later(insertSavedReport, kept(id, saver, checked, null))
  auditSaved(tx, 'created', id, checked.record, outside)
  return id
}

/**
 * Updates the given attributes; false if the report does not exist. The caller becomes its owner, so that no run
 * contains more than the last editor may see. A paused schedule stays paused until it is resumed explicitly; missed
 * runs are not made up for.
 */
export async function changeSavedReport(
  tx: AccountTx,
  saver: Saver,
  id: string,
  given: Given,
  sources: ReportSources,
): Promise<boolean> {
  const stored = await tx.one(lockSavedReport, { id })
  if (!stored) return false
  const before = complete(savedReportAttributes, stored)
  const reasons = new Reasons()
  const values = read(saver, given, false, reasons)
  const wanted = complete(savedReportAttributes, { ...stored, ...instead(values) })
  if (reasons.isEmpty && isDeepStrictEqual(wanted, before)) return true
  const names = 'filters' in values || 'preset_key' in values
  const checked = checkReport(wanted, saver, sources, { reasons, names })
  reasons.refuse()
  if (isDeepStrictEqual({ ...checked.record }, before)) return true
  demandSeenRecipients(saver, stored)
  const outside = await outsideOf(tx, saver, checked.record)
  tx.later(updateSavedReport, kept(id, saver, checked, stored))
  auditSaved(tx, 'changed', id, checked.record, outside)
  return true
}

/** A preset takes the place of a definition, and a definition that of a preset with its filters. */
function instead(values: Values): Values {
  if (values.definition && !values.preset_key) return { ...values, preset_key: null, filters: null }
  return values.preset_key && !values.definition ? { ...values, definition: null } : values
}

const NO_COMPANY = { country: '', currency: '' } // no attribute depends on one
const read = ({ timeZone, policies }: Saver, given: Given, creates: boolean, reasons: Reasons): Values =>
  readAttributes(savedReportAttributes, given, {
    company: NO_COMPANY,
    timeZone,
    creates,
    shows: savedReportDetail,
    reasons,
    ...(!creates && { masked: maskedAttributes(savedReportAttributes, policies, false) }),
  })

/** The recipients that are not active seats of the account, which need `manage_settings`. */
async function outsideOf(tx: AccountTx, { policies }: Saver, { recipients }: SavedReport): Promise<string[]> {
  const outside = (await tx.all(addressesOutside, { addresses: recipients })).map(({ address }) => address)
  if (outside.length === 0 || policies.has('manage_settings')) return outside
  throw new ApiError(
    'forbidden',
    'Recipients outside the account’s seats need manage_settings, which the role lacks. Use addresses of active seats.',
  )
}

/**
 * The caller becomes the owner of the schedule, and must be allowed to send it to the recipients. Without either policy
 * the refusal must not depend on who the recipients are; their number is visible.
 */
function demandSeenRecipients({ policies }: Saver, { recipients }: SavedReport): void {
  const isAllowed = policies.has('view_personal_data') || policies.has('manage_settings')
  if (isAllowed || recipients.length === 0) return
  throw new ApiError(
    'forbidden',
    'Changing a report that has recipients needs view_personal_data or manage_settings, which the role lacks.',
  )
}

function auditSaved(
  tx: AccountTx,
  done: 'created' | 'changed',
  id: string,
  { name, schedule_frequency, schedule_paused, recipients }: SavedReport,
  outside: readonly string[],
): void {
  auditOwn(tx, {
    action: `saved_report.${done}`,
    subjectType: 'saved_report',
    subjectId: id,
    details: { name, schedule_frequency, schedule_paused, recipients, outside },
  })
}

const kept = (id: string, saver: Saver, { record, needs }: Checked, stored: StoredReport | null) => ({
  id,
  seat: saver.seat,
  role: saver.role,
  key: saver.key,
  needs,
  paused: record.schedule_paused,
  values: JSON.stringify(record),
  due: record.schedule_paused ? null : (isSameSchedule(stored, record) && stored?.due_at) || dueOf(record, saver),
})

const isSameSchedule = (stored: SavedReport | null, record: SavedReport): boolean =>
  stored !== null && isDeepStrictEqual(scheduleOf(stored), scheduleOf(record))

function dueOf(report: SavedReport, { timeZone, now }: Saver): string | null {
  const schedule = scheduleOf(report)
  return schedule && new Date(nextDue(schedule, timeZone, now)).toISOString()
}
