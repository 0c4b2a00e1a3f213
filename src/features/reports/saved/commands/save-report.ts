import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { complete, type Values } from '../../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../../platform/db/account-tx.ts'
import { Reasons } from '../../../../platform/http/reasons.ts'
import { readAttributes } from '../../../attributes.ts'
import { type Checking, checkReport } from '../check-report.ts'
import type { Sources } from '../saved-preset.ts'
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

/** More than anybody reads; each may be run by itself. */
export const SAVED_REPORTS = 500
type Given = Record<string, unknown>
/** Who saves a report: when it runs by itself, it sees what the seat sees, and no more than the role does. */
export type Saver = Checking & {
  readonly timeZone: string
  readonly locale: string
  readonly seat: string
  /** That the seat's key is bound to; null for the seat's own. */
  readonly role: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Saves a report. Answers its id. */
export async function createSavedReport(tx: AccountTx, saver: Saver, given: Given, sources: Sources): Promise<string> {
  const reasons = new Reasons()
  const wanted = complete(savedReportAttributes, read(saver, given, true, reasons))
  const record = checkReport(wanted, saver, sources, { reasons, names: true })
  const saved = await tx.one(countSavedReports, {})
  if ((saved?.count ?? 0) >= SAVED_REPORTS)
    reasons.add(['base', `An account has at most ${SAVED_REPORTS} saved reports. Delete one first.`])
  reasons.refuse()
  const id = randomUUIDv7()
  tx.later(insertSavedReport, kept(id, saver, record, null))
  return id
}

/**
 * Changes the attributes that are given; false where there is no such report. Whoever changes it has saved it from then
 * on, so that nobody has sent what another sees.
 */
export async function changeSavedReport(
  tx: AccountTx,
  saver: Saver,
  id: string,
  given: Given,
  sources: Sources,
): Promise<boolean> {
  const stored = await tx.one(lockSavedReport, { id })
  if (!stored) return false
  const before = complete(savedReportAttributes, stored)
  const reasons = new Reasons()
  const values = read(saver, given, false, reasons)
  const wanted = complete(savedReportAttributes, { ...stored, ...instead(values) })
  if (reasons.isEmpty && isDeepStrictEqual(wanted, before)) return true
  const names = 'filters' in values || 'preset_key' in values
  const record = checkReport(wanted, saver, sources, { reasons, names })
  reasons.refuse()
  if (!isDeepStrictEqual({ ...record }, before)) tx.later(updateSavedReport, kept(id, saver, record, stored))
  return true
}

/** A preset takes the place of a definition, and a definition that of a preset with its filters. */
function instead(values: Values): Values {
  if (values.definition && !values.preset_key) return { ...values, preset_key: null, filters: null }
  return values.preset_key && !values.definition ? { ...values, definition: null } : values
}

const NO_COMPANY = { country: '', currency: '' } // no attribute depends on one
const read = ({ timeZone }: Saver, given: Given, creates: boolean, reasons: Reasons): Values =>
  readAttributes(savedReportAttributes, given, {
    company: NO_COMPANY,
    timeZone,
    creates,
    shows: savedReportDetail,
    reasons,
  })

const kept = (id: string, saver: Saver, record: SavedReport, stored: StoredReport | null) => ({
  id,
  seat: saver.seat,
  role: saver.role,
  values: JSON.stringify(record),
  due: stored !== null && isSameSchedule(stored, record) ? stored.due_at : dueOf(record, saver),
})

const isSameSchedule = (stored: SavedReport, record: SavedReport): boolean =>
  isDeepStrictEqual(scheduleOf(stored), scheduleOf(record))

function dueOf(report: SavedReport, { timeZone, now }: Saver): string | null {
  const schedule = scheduleOf(report)
  return schedule && new Date(nextDue(schedule, timeZone, now)).toISOString()
}
