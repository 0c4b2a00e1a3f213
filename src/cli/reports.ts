import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { tableOf } from '../features/reports/files/cells.ts'
import { csvOf } from '../features/reports/files/csv.ts'
import { findPreset } from '../features/reports/find-preset.ts'
import { reportText } from '../features/reports/report-text.ts'
import { type Report, runWholeReport, WHOLE_ROWS } from '../features/reports/run-report.ts'
import type { Saver } from '../features/reports/saved/commands/save-report.ts'
import { findSaver } from '../features/reports/saved/reads/find-saver.ts'
import { savedReportRows } from '../features/reports/saved/reads/saved-report-rows.ts'
import { type Runnable, runnableOf, soundOnly } from '../features/reports/saved/saved-preset.ts'
import { findSavedReport } from '../features/reports/saved/saved-reports.store.ts'
import type { AccountTx } from '../platform/db/account-tx.ts'
import { noSuch } from '../platform/http/by-id.ts'
import { dayIn } from '../platform/time.ts'
import { reportSources } from '../registry.ts'
import { ACCOUNT, answering, type OfAccount, table } from './command.ts'
import { drawReport, type ReportResult } from './reports/draw-report.ts'
import { filtersOf, pairs, saying } from './reports/report-options.ts'
import { registerSaved } from './reports/saved.ts'
import { withCell } from './with-cell.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function registerReports(program: Command): void {
  const report = program.command('report').description('run reports, and save and schedule them')
  registerList(report)
  registerRun(report)
  registerSaved(report)
}

type Listed = { readonly presets: readonly object[]; readonly saved: readonly object[] }
function registerList(report: Command): void {
  answering(
    report
      .command('list')
      .description('list the reports that the plan includes, and those that were saved')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      withCell(({ deps }) =>
        deps.db.inAccount(account, async (tx): Promise<Listed> => {
          const { plan } = await findSaver(tx, null, deps.now())
          const included = reportSources.presets.filter(({ feature }) => plan.features.has(feature))
          const presets = included.map(({ key, label, category }) => ({ key, label, category }))
          return { presets, saved: await tx.all(savedReportRows, {}) }
        }),
      ),
    ({ presets, saved }: Listed) => `${table(presets)}\n\n${table(saved)}`,
  )
}

type RunOptions = OfAccount & { readonly as?: string; readonly filter?: string[]; readonly csv?: string }
type Ran = { readonly report: ReportResult } | { readonly file: string; readonly rows: number }
function registerRun(report: Command): void {
  answering(
    report
      .command('run')
      .description('run a report as a table, or into a file')
      .argument('<report>', 'key of a report, or id of a saved one')
      .requiredOption(...ACCOUNT)
      .option('--filter <name=value>', 'a filter, e.g. from=2026-01-01 or group_by=branch; several times', pairs)
      .option('--as <email>', 'the seat whose role sees it; the owner when omitted')
      .option('--csv <file>', 'keep it in a file'),
    (options: RunOptions, name = '') =>
      withCell(({ deps }) =>
        saying(async () => {
          const { account, as = null, csv } = options
          const found = async (tx: AccountTx) => {
            const viewer = await findSaver(tx, as, deps.now())
            return { viewer, ...(await runnable(tx, name, filtersOf(options), viewer)) }
          }
          const { viewer, preset, given } = await deps.db.inAccount(account, found)
          const ran = await runWholeReport(deps.db.reports(account), viewer, preset, given, viewer.now)
          return csv === undefined ? { report: resultOf(ran) } : keep(csv, ran)
        }),
      ),
    (ran: Ran) => ('file' in ran ? `${ran.rows} rows in ${ran.file}.` : drawReport(ran.report)),
  )
}

/** The preset of a key with what is asked of it, or the saved report of an id. */
async function runnable(
  tx: AccountTx,
  name: string,
  filters: Readonly<Record<string, string>>,
  { plan, policies, timeZone, now }: Saver,
): Promise<Pick<Runnable, 'preset' | 'given'>> {
  const on = { plan, policies, today: dayIn(timeZone, now) }
  if (!UUID.test(name)) {
    const preset = findPreset(reportSources.presets, name, plan)
    return soundOnly(runnableOf({ preset_key: preset.key, filters, definition: null }, reportSources, on))
  }
  if (Object.keys(filters).length > 0) throw new Error('A saved report has filters of its own, and takes no others.')
  const stored = await tx.one(findSavedReport, { id: name })
  if (!stored) throw noSuch('saved report')
  return soundOnly(runnableOf(stored, reportSources, on))
}

const WHOLE = { limit: WHOLE_ROWS, after: null, cursor: () => '' }
const resultOf = (report: Report): ReportResult => JSON.parse(reportText(report, WHOLE))

async function keep(file: string, report: Report): Promise<Ran> {
  const whole = tableOf(report)
  await writeFile(file, await csvOf(whole))
  return { file, rows: whole.rows.length }
}
