import type { Values } from '../../../catalogue/read-cells.ts'
import type { Plan } from '../../../platform/access/plans.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { dayIn } from '../../../platform/time.ts'
import { refuseAttributes } from '../../attributes.ts'
import { readFilters } from '../filters.ts'
import { runnableOf, type Sources, Unsound } from './saved-preset.ts'
import type { SavedReport } from './saved-report-attributes.ts'

/** For whom a report has to hold. */
export type Checking = {
  readonly timeZone: string
  readonly policies: Policies
  readonly plan: Plan
  readonly now: number
}
type Refused = readonly (readonly [attribute: string, reason: string])[]

/** The record as it is kept: what can be run today, on a schedule that is whole. Anything else is refused. */
export function checkReport(values: Values, viewer: Checking, sources: Sources): SavedReport {
  const record = withoutUnused(values as SavedReport)
  if ((record.preset_key === null) === (record.definition === null))
    refuseAttributes([['preset_key', 'is required, or a definition instead']])
  refuseAttributes(missingOf(record))
  const today = dayIn(viewer.timeZone, viewer.now)
  const runnable = runnableOf(record, sources, { ...viewer, today })
  if (runnable instanceof Unsound) {
    refuseAttributes(runnable.reasons)
    return record
  }
  const { preset, given, definition } = runnable
  if (definition) return { ...record, definition }
  refuseFilters(() => readFilters(preset, given, viewer.policies, today))
  return record
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
  }
}

function missingOf(record: SavedReport): Refused {
  const { schedule_frequency: frequency } = record
  if (frequency === null) return []
  const needed = [
    'schedule_hour' as const,
    ...(frequency === 'weekly' ? (['schedule_weekday'] as const) : []),
    ...(frequency === 'monthly' ? (['schedule_day'] as const) : []),
  ]
  const reason = `is required where schedule_frequency is ${frequency}`
  return [
    ...needed.filter((name) => record[name] === null).map((name): [string, string] => [name, reason]),
    ...(record.recipients.length === 0
      ? [['recipients', 'are required: a schedule sends the report to somebody'] as const]
      : []),
  ]
}

/** Says of filters that do not hold what is said of other attributes. */
function refuseFilters(reading: () => unknown): void {
  try {
    reading()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    refuseAttributes(
      Object.entries(error.details).flatMap(([at, reasons]) => reasons.map((reason) => [at, reason] as const)),
    )
  }
}
