import { defaultOf, windowOf } from './filters.ts'
import { labelIn } from './labels/label-in.ts'
import type { Preset, ReportFilter } from './preset.ts'
import { describeColumn, reportColumns } from './report-text.ts'

const plain = (
  key: string,
  label: string,
  type: ReportFilter['type'],
  value: unknown = null,
  options?: readonly string[],
) => ({
  key,
  label,
  type,
  required: false,
  default: value,
  ...(options && { options }),
  multiple: false,
})

/** The dates and the grouping, which no preset declares one by one. */
function commonFilters({ dates, groupings }: Preset, today: string) {
  const window = dates && windowOf(dates.window, null, null, today)
  const bases = Object.keys(dates?.by ?? {})
  return [
    ...(window ? [plain('from', 'From', 'date', window.from), plain('to', 'To', 'date', window.to)] : []),
    ...(bases.length > 1 ? [plain('date_basis', 'Date', 'enum', bases[0], bases)] : []),
    ...(groupings ? [plain('group_by', 'Group by', 'enum', null, Object.keys(groupings))] : []),
  ]
}

/** A preset as the catalogue of reports shows it, labelled in a language; defaults of dates are those of that day. */
export const describePreset = (preset: Preset, today: string, locale: string) => ({
  key: preset.key,
  label: labelIn(locale, preset.label),
  description: preset.description,
  category: preset.category,
  plan_feature: preset.feature,
  filters: [
    ...commonFilters(preset, today),
    ...Object.entries(preset.filters).map(([key, filter]) => ({
      ...plain(key, filter.label, filter.type, defaultOf(filter, today), filter.options),
      multiple: filter.multiple ?? false,
    })),
  ].map((filter) => ({ ...filter, label: labelIn(locale, filter.label) })),
  columns: reportColumns(preset, null, locale).map(describeColumn),
})
