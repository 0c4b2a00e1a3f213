import type { Policies } from '../../platform/access/policies.ts'
import { maySee, type Preset, type ReportColumn } from './preset.ts'

type Sum = readonly [name: string, column: ReportColumn]
const sumsOf = ({ columns }: Preset): Sum[] => Object.entries(columns).filter(([, { sums }]) => sums)
const isMoney = ([, { type }]: Sum): boolean => type === 'money'
const isShown =
  (policies: Policies) =>
  ([, { sensitive }]: Sum): boolean =>
    maySee(policies, sensitive)

/**
 * The columns of a preset's rows from which its totals in the company's currency come. Whether these are known is asked of
 * all of them, so that it is the same for every role.
 */
export const baseColumns = (preset: Preset): string[] => [
  'base_currency',
  ...sumsOf(preset)
    .filter(isMoney)
    .map(([name]) => `base_${name}`),
]

/** SQL of the rows `found` added up by currency, of all of them and of each group. */
export function partsSql(preset: Preset, policies: Policies): string {
  const shown = sumsOf(preset).filter(isShown(policies))
  const names = shown.map(([name]) => name)
  const base = preset.base ? baseColumns(preset) : []
  const columns = [
    'grouping(f.group_key) = 0 as of_group',
    'f.group_key',
    'min(f.group_name) as group_name',
    'f.currency',
    'count(*) as rows',
    ...names.map((name) => `sum(f."${name}") as "${name}"`),
    ...(preset.base
      ? [
          ...shown.filter(isMoney).map(([name]) => `sum(f."base_${name}") as "base_${name}"`),
          'min(f.base_currency) as base_currency',
          `bool_and(num_nulls(${base.map((name) => `f."${name}"`).join(', ')}) = 0)
            and min(f.base_currency) = max(f.base_currency) as base_known`,
        ]
      : []),
  ]
  return `select ${columns.join(', ')} from found f group by grouping sets ((f.currency), (f.group_key, f.currency))`
}

/** SQL of totals over parts `p`: integers, money by currency, and in the company's currency if known. */
export function totalsSql(preset: Preset, policies: Policies): string {
  const shown = isShown(policies)
  const object = (parts: readonly (readonly [name: string, sql: string])[]) =>
    `json_build_object(${parts.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`
  const print = (sum: Sum, sql: string, currency: string): [string, string] => {
    const printed = isMoney(sum) ? `money_text(${sql}, ${currency})` : sql
    return [sum[0], shown(sum) ? printed : 'null::text']
  }
  const sums = sumsOf(preset)
  const ofCurrency = object([
    ['currency', 'p.currency'],
    ...sums.map((sum) => print(sum, `p."${sum[0]}"`, 'p.currency')),
  ])
  const base = object([
    ['currency', 'min(p.base_currency)'],
    ...sums.filter(isMoney).map((sum) => print(sum, `sum(p."base_${sum[0]}")`, 'min(p.base_currency)')),
  ])
  const isKnown = 'bool_and(coalesce(p.base_known, false)) and min(p.base_currency) = max(p.base_currency)'
  return object([
    ...sums.filter((sum) => !isMoney(sum)).map((sum) => print(sum, `coalesce(sum(p."${sum[0]}"), 0)`, '')),
    [
      'by_currency',
      `coalesce(json_agg(${ofCurrency} order by p.currency) filter (where p.currency is not null), '[]')`,
    ],
    ['base', preset.base ? `case when ${isKnown} then ${base} end` : 'null::text'],
  ])
}

/** SQL of the grand totals; null if nothing is summed. */
export const grandTotalsSql = (preset: Preset, policies: Policies): string =>
  sumsOf(preset).length === 0
    ? 'null'
    : `(select ${totalsSql(preset, policies)}::text from parts p where not p.of_group)`
