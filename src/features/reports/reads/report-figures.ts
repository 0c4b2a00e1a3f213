import type { Plan } from '../../../platform/access/plans.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountReader } from '../../../platform/db/account-tx.ts'
import { maySee, type Preset } from '../preset.ts'
import { runReport, type Viewer } from '../run-report.ts'

type Amounts = Readonly<Record<string, string | number | null>> & { readonly currency: string }
/** The totals of a report, which are those that its page shows. */
export type ReportFigures = {
  readonly summary: Readonly<Record<string, number | null>>
  readonly totals: Readonly<Record<string, unknown>> & {
    readonly by_currency: readonly Amounts[]
    readonly base: Amounts | null
  }
}
type Asker = Viewer & { readonly plan: Plan; readonly now: number }

/** Whether a role and its plan have a report. */
const hasReport = (preset: Preset, plan: Plan, policies: Policies): boolean =>
  policies.has('view_reports') && plan.features.has(preset.feature) && maySee(policies, preset.presence)

/** The totals of a report of one row; null if the role or its plan does not have it. */
export async function reportFigures(
  reader: AccountReader,
  { plan, now, ...viewer }: Asker,
  preset: Preset,
  filters: Readonly<Record<string, string>>,
): Promise<ReportFigures | null> {
  if (!hasReport(preset, plan, viewer.policies)) return null
  const { found } = await runReport(reader, viewer, preset, filters, { limit: 1, after: null }, now)
  return { summary: JSON.parse(found.summary), totals: JSON.parse(found.totals ?? 'null') }
}
