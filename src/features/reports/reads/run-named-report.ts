import type { AuditEntry } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Database } from '../../../platform/db/database.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { dayIn } from '../../../platform/time.ts'
import { UserError } from '../../../platform/user-error.ts'
import { tableOf } from '../files/cells.ts'
import { csvOf } from '../files/csv.ts'
import { findPreset } from '../find-preset.ts'
import { reportExported } from '../report-exported.ts'
import { reportText } from '../report-text.ts'
import { type Report, runWholeReport, WHOLE_ROWS } from '../run-report.ts'
import type { Saver } from '../saved/commands/save-report.ts'
import { findSaver } from '../saved/reads/find-saver.ts'
import { type ReportSources, type Runnable, requireValid, runnableOf } from '../saved/saved-preset.ts'
import { findSavedReport } from '../saved/saved-reports.store.ts'
import { refuseUnknownFilters } from '../unknown-filters.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const WHOLE = { limit: WHOLE_ROWS, after: null, cursor: () => '' }

type Asked = {
  readonly account: number
  /** E-mail of the seat whose role sees it; null for the owner. */
  readonly as: string | null
  /** Key of a preset, or id of a saved report. */
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
}
/** A complete report: its row count, its API response, and its file, which is audited as `exported`. */
type Named = { readonly rows: number; readonly exported: AuditEntry; result(): unknown; csv(): Promise<string> }

/** Runs the complete report of this name, as a seat of the account sees it. */
export async function runNamedReport(
  { db, now }: { readonly db: Database; now(): number },
  sources: ReportSources,
  { account, as, name, filters }: Asked,
): Promise<Named> {
  const { viewer, preset, given } = await db.inAccount(account, async (tx) => {
    const viewer = await findSaver(tx, as, now())
    return { viewer, ...(await runnable(tx, sources, { name, filters }, viewer)) }
  })
  const report = await runWholeReport(db.reports(account), viewer, preset, given, viewer.now)
  return { ...namedOf(report), exported: reportExported(UUID.test(name) ? 'saved_report' : 'report', name, 'csv') }
}

function namedOf(report: Report): Omit<Named, 'exported'> {
  const table = tableOf(report, 'key')
  return { rows: table.rows.length, result: () => JSON.parse(reportText(report, WHOLE)), csv: () => csvOf(table) }
}

async function runnable(
  tx: AccountTx,
  sources: ReportSources,
  { name, filters }: Pick<Asked, 'name' | 'filters'>,
  { plan, policies, timeZone, now }: Saver,
): Promise<Pick<Runnable, 'preset' | 'given'>> {
  const on = { plan, policies, today: dayIn(timeZone, now) }
  if (!UUID.test(name)) {
    const preset = findPreset(sources.presets, name, plan)
    refuseUnknownFilters(preset, filters)
    return requireValid(runnableOf({ preset_key: preset.key, filters, definition: null }, sources, on))
  }
  if (Object.keys(filters).length > 0)
    throw new UserError('invalid_value', 'The filters of a saved report cannot be overridden. Remove the filters.')
  const stored = await tx.one(findSavedReport, { id: name })
  if (!stored) throw noSuch('saved report')
  return requireValid(runnableOf(stored, sources, on))
}
