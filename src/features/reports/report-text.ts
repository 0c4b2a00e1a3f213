import type { PageRequest } from '../../platform/http/route.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { labelIn } from './labels/label-in.ts'
import type { Preset, ReportColumn } from './preset.ts'
import type { Report } from './run-report.ts'

export type ShownColumn = ReportColumn & { readonly key: string }

/** The columns of a preset's rows in order, with labels in a language; those of a group come first. */
export function reportColumns({ columns, groupings = {} }: Preset, groupBy: unknown, locale: string): ShownColumn[] {
  const grouping = typeof groupBy === 'string' ? groupings[groupBy] : undefined
  const own = Object.entries(columns).map(([key, column]) => ({ key, ...column, label: labelIn(locale, column.label) }))
  if (!grouping) return own
  const label = labelIn(locale, grouping.label)
  return [
    { key: 'group_key', label: `${label}, ${labelIn(locale, 'key')}`, type: 'string' },
    { key: 'group_name', label, type: 'string' },
    ...own,
  ]
}

const NO_GROUPS = jsonText<never[]>([])
/** The response of a report, as JSON. */
export function reportText(
  { preset, filters, locale, found, isWhole, madeAt }: Report,
  page: PageRequest,
): JsonText<never> {
  const groupBy = filters.group_by ?? null
  const pagination = isWhole
    ? null
    : {
        next_cursor: found.more && found.last ? page.cursor(found.last) : null,
        has_more: found.more,
        limit: page.limit,
      }
  return jsonObject({
    key: jsonText(preset.key),
    columns: jsonText(reportColumns(preset, groupBy, locale).map(describeColumn)),
    rows: found.rows,
    summary: found.summary,
    filters: jsonText(filters),
    generated_at: jsonText(new Date(madeAt).toISOString()),
    ...(preset.pages && { pagination: jsonText(pagination) }),
    group_by: jsonText(groupBy),
    groups: groupBy === null ? null : (found.groups ?? NO_GROUPS),
    totals: found.totals,
  }) as JsonText<never>
}

/** A column as the catalogue and the results show it. */
export const describeColumn = ({ key, label, type, currency_key, sensitive }: ShownColumn) => ({
  key,
  label,
  type,
  ...(type === 'money' && { currency_key: currency_key ?? 'currency' }),
  ...(sensitive && { sensitive }),
})
