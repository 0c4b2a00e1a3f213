import type { PageRequest } from '../../platform/http/route.ts'
import { labelIn } from './labels/label-in.ts'
import type { Column, Preset } from './preset.ts'
import type { Report } from './run-report.ts'

export type ShownColumn = Column & { readonly key: string }

/** The columns of a preset's rows in their order, labelled in a language; those of a group come first. */
export function columnsOf({ columns, groupings = {} }: Preset, groupBy: unknown, locale: string): ShownColumn[] {
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

/** The answer of a report, as JSON. */
export function reportText({ preset, filters, locale, found, isWhole, madeAt }: Report, page: PageRequest): string {
  const groupBy = filters.group_by ?? null
  const pagination = isWhole
    ? null
    : {
        next_cursor: found.more && found.last ? page.cursor(found.last) : null,
        has_more: found.more,
        limit: page.limit,
      }
  const json = {
    key: JSON.stringify(preset.key),
    columns: JSON.stringify(columnsOf(preset, groupBy, locale).map(describeColumn)),
    rows: `[${found.rows ?? ''}]`,
    summary: found.summary,
    filters: JSON.stringify(filters),
    generated_at: JSON.stringify(new Date(madeAt).toISOString()),
    ...(preset.pages && { pagination: JSON.stringify(pagination) }),
    group_by: JSON.stringify(groupBy),
    groups: groupBy === null ? 'null' : (found.groups ?? '[]'),
    totals: found.totals ?? 'null',
  }
  return `{${Object.entries(json)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`
}

/** A column as the catalogue and the results show it. */
export const describeColumn = ({ key, label, type, currency_key, sensitive }: ShownColumn) => ({
  key,
  label,
  type,
  ...(type === 'money' && { currency_key: currency_key ?? 'currency' }),
  ...(sensitive && { sensitive }),
})
