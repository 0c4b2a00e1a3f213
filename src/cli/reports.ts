import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { runNamedReport } from '../features/reports/reads/run-named-report.ts'
import { findSaver } from '../features/reports/saved/reads/find-saver.ts'
import { savedReportRows } from '../features/reports/saved/reads/saved-report-rows.ts'
import { auditOwn } from '../platform/audit.ts'
import { reportSources } from '../registry.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { drawReport, type ReportResult } from './reports/draw-report.ts'
import { filtersOf, pairs } from './reports/report-options.ts'
import { registerSaved } from './reports/saved.ts'
import { withCell } from './with-cell.ts'

export function registerReports(program: Command): void {
  const report = program.command('report').description('run reports, and save and schedule them')
  registerList(report)
  registerRun(report)
  registerSaved(report)
}

type Listed = { readonly presets: readonly object[]; readonly saved: readonly object[] }
function registerList(report: Command): void {
  objectCommand(
    report
      .command('list')
      .description('list the reports of the plan, and saved reports')
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
  objectCommand(
    report
      .command('run')
      .description('run a report and print it, or save it to a file')
      .argument('<report>', 'key of a report, or id of a saved report')
      .requiredOption(...ACCOUNT)
      .option('--filter <name=value>', 'a filter, e.g. from=2026-01-01 or group_by=branch; may be repeated', pairs)
      .option('--as <email>', 'seat whose role applies; the owner if omitted')
      .option('--csv <file>', 'save to a file'),
    (options: RunOptions, name = '') =>
      withCell(async ({ deps }) => {
        const { account, as = null, csv } = options
        const ran = await runNamedReport(deps, reportSources, { account, as, name, filters: filtersOf(options) })
        if (csv === undefined) return { report: ran.result() as ReportResult }
        await deps.db.inAccount(account, async (tx) => auditOwn(tx, ran.exported))
        await writeFile(csv, await ran.csv())
        return { file: csv, rows: ran.rows }
      }),
    (ran: Ran) => ('file' in ran ? `${ran.rows} rows in ${ran.file}.` : drawReport(ran.report)),
  )
}
