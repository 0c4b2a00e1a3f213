import { isPlan, PLANS, type Plan } from '../../../platform/access/plans.ts'
import { type Policies, policiesOf, policySet } from '../../../platform/access/policies.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Files } from '../../../platform/files/files.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { FILE_MAXIMUM_BYTES } from '../../../platform/http/receive-file.ts'
import { dayIn } from '../../../platform/time.ts'
import { type KeptFile, keepFile } from '../../uploads/commands/keep-file.ts'
import { fileName, tableOf } from '../files/cells.ts'
import { FILE_FORMATS } from '../files/file-formats.ts'
import { type Report, runWholeReport } from '../run-report.ts'
import type { DueReport } from './due-reports.store.ts'
import { InvalidReport, type ReportSources, runnableOf } from './saved-preset.ts'

export type RunNeeds = { readonly db: Database; readonly files: Pick<Files, 'store'> }
/** The outcome of a run: a file to send, or the reason why there is none. */
export type RunOutcome =
  | { readonly status: 'sent'; readonly file: KeptFile; readonly rows: number; readonly day: string }
  | { readonly status: 'skipped' | 'failed'; readonly reason: string }

/** Longer than a mail is tried to be sent. */
const KEPT_DAYS = 7
const ATTEMPTS = 10
/** A report that takes too long at a busy hour may be quicker at another. */
const TIMEOUTS = 3

/** Runs a report that is due, with the policies of the seat that saved it and for the day on which it was due. */
export async function runDueReport(
  needs: RunNeeds,
  account: number,
  due: DueReport,
  attempts: number,
  sources: ReportSources,
): Promise<RunOutcome> {
  const plan = isPlan(due.plan) ? PLANS[due.plan] : PLANS.starter
  const policies = policiesOfSaver(due)
  const reason = whyNot(due, plan, policies)
  if (reason !== null) return { status: 'skipped', reason }
  if (attempts > ATTEMPTS)
    return { status: 'failed', reason: `The report was started ${ATTEMPTS} times and never finished.` }
  try {
    return await run(needs, account, due, { plan, policies }, sources)
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code === 'report_timeout' && attempts < TIMEOUTS)) throw error
    return { status: 'failed', reason: reasonOf(error) }
  }
}

/** The notification of a run contains only the message, so the message includes the details. */
const reasonOf = ({ message, details = {} }: ApiError): string =>
  Object.entries(details)
    .flatMap(([at, reasons]) => reasons.map((reason) => `${at}: ${reason}`))
    .join(' ') || message

/** A seat sees what its role allows, limited for a key bound to another role to what both allow. */
function policiesOfSaver({ role, role_policies, saved_as, saved_as_policies }: DueReport): Policies {
  const own = policiesOf(role, role_policies)
  if (saved_as === null) return own
  const bound = policiesOf(saved_as, saved_as_policies)
  return policySet([...own].filter((policy) => bound.has(policy)))
}

function whyNot({ closed }: DueReport, { features }: Plan, policies: Policies): string | null {
  if (closed) return 'The account is closed.'
  if (!features.has('api_access') || !features.has('reports_builder')) return 'The plan does not include saved reports.'
  return policies.has('view_reports')
    ? null
    : 'The role of the seat that saved the report is not allowed to see reports.'
}

async function run(
  { db, files }: RunNeeds,
  account: number,
  due: DueReport,
  { plan, policies }: { plan: Plan; policies: Policies },
  sources: ReportSources,
): Promise<RunOutcome> {
  const at = Date.parse(due.due_at)
  const day = dayIn(due.time_zone, at)
  const runnable = runnableOf(due, sources, { plan, policies, today: day })
  if (runnable instanceof InvalidReport)
    return { status: 'failed', reason: runnable.reasons.map(([of, reason]) => `${of} ${reason}`).join('; ') }
  const viewer = { timeZone: due.time_zone, locale: due.account_locale, policies }
  const report = await runWholeReport(db.reports(account), viewer, runnable.preset, runnable.given, at)
  const { rows, bytes, ...made } = await fileOf(due, report)
  if (bytes.length > FILE_MAXIMUM_BYTES)
    return { status: 'failed', reason: 'The file is too large for an e-mail. Choose a shorter period or more filters.' }
  const file = await keepFile((fn) => db.inAccount(account, fn), files, { ...made, bytes }, KEPT_DAYS)
  return { status: 'sent', file, rows, day }
}

async function fileOf({ name, file_format }: DueReport, report: Report) {
  const { extension, type, write } = FILE_FORMATS.find((format) => format.extension === file_format) ?? FILE_FORMATS[0]
  const table = tableOf(report, 'mail', name)
  const bytes = Buffer.from(await write(table))
  return { name: fileName(name, report, extension), type, bytes, rows: table.rows.length }
}
