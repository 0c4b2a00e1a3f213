import type { Values } from '../../../catalogue/read-cells.ts'
import type { Plan } from '../../../platform/access/plans.ts'
import type { Policies, Policy } from '../../../platform/access/policies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { Reason, Reasons } from '../../../platform/http/reasons.ts'
import { dayIn } from '../../../platform/time.ts'
import { readFilters } from '../filters.ts'
import { unknownFilters } from '../unknown-filters.ts'
import { neededPolicies } from './needed-policies.ts'
import { InvalidReport, type ReportSources, runnableOf } from './saved-preset.ts'
import type { SavedReport } from './saved-report-attributes.ts'

/** The reader for whom a report is checked. */
export type Checking = {
  readonly timeZone: string
  readonly policies: Policies
  readonly plan: Plan
  readonly now: number
}
/** A report as stored, and the policies that its content needs. */
export type Checked = { readonly record: SavedReport; readonly needs: readonly Policy[] }

/**
 * The record to store: it must be runnable today, with a complete schedule. Collects the errors. Filters saved earlier
 * may have names that the preset no longer has; `names` are the new ones.
 */
export function checkReport(
  values: Values,
  viewer: Checking,
  sources: ReportSources,
  { reasons, names }: { readonly reasons: Reasons; readonly names: boolean },
): Checked {
  const record = withoutUnused(values as SavedReport)
  reasons.add(...missingOf(record).filter(([at]) => !reasons.has(at)))
  if ((record.preset_key === null) === (record.definition === null)) {
    if (!reasons.has('preset_key', 'definition'))
      reasons.add(['preset_key', 'Send preset_key or definition: one of the two.'])
    return { record, needs: [] }
  }
  const today = dayIn(viewer.timeZone, viewer.now)
  const runnable = runnableOf(record, sources, { ...viewer, today })
  if (runnable instanceof InvalidReport) {
    reasons.add(...runnable.reasons)
    return { record, needs: [] }
  }
  const { preset, given, definition } = runnable
  const needs = neededPolicies(preset, viewer.policies)
  if (definition) return { record: { ...record, definition }, needs }
  if (names) reasons.add(...unknownFilters(preset, given))
  reasons.add(...filtersRefused(() => readFilters(preset, given, viewer.policies, today)))
  return { record, needs }
}

/** Without the parts of a schedule that its frequency has no use for. */
function withoutUnused(record: SavedReport): SavedReport {
  const { schedule_frequency: frequency, preset_key } = record
  return {
    ...record,
    filters: preset_key === null ? null : (record.filters ?? {}),
    schedule_hour: frequency === null ? null : record.schedule_hour,
    schedule_weekday: frequency === 'weekly' ? record.schedule_weekday : null,
    schedule_day: frequency === 'monthly' ? record.schedule_day : null,
    schedule_paused: frequency !== null && record.schedule_paused,
  }
}

function missingOf(record: SavedReport): Reason[] {
  const { schedule_frequency: frequency } = record
  if (frequency === null) return []
  const needed = [
    'schedule_hour' as const,
    ...(frequency === 'weekly' ? (['schedule_weekday'] as const) : []),
    ...(frequency === 'monthly' ? (['schedule_day'] as const) : []),
  ]
  const reason = `This is required where schedule_frequency is ${frequency}.`
  return [
    ...needed.filter((name) => record[name] === null).map((name): Reason => [name, reason]),
    ...(record.recipients.length === 0
      ? [['recipients', 'Add a recipient. A schedule needs at least one.'] as const]
      : []),
  ]
}

/** Why filters cannot be read, as reasons against attributes. */
function filtersRefused(reading: () => unknown): Reason[] {
  try {
    reading()
    return []
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    return Object.entries(error.details).flatMap(([at, reasons]) => reasons.map((reason): Reason => [at, reason]))
  }
}
