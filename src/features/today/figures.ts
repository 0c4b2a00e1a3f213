import Type, { type Static } from 'typebox'
import { Money, maybe, Text } from '../../platform/http/shapes.ts'
import type { ReportFigures } from '../reports/reads/report-figures.ts'

const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
const CURRENCIES = 500
const List = Type.Object(
  {
    key: Type.String({ maxLength: 100, description: 'Path of the list below /app/v1, without the first slash.' }),
    query: Type.Record(Type.String(), Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false, title: 'List behind a figure' },
)
export const CountFigure = Type.Object(
  { count: Count, list: List },
  { additionalProperties: false, title: 'Count of today' },
)
const Amount = Type.Object(
  { currency: Text(3), amount: maybe(Money) },
  { additionalProperties: false, title: 'Amount in a currency' },
)
export const AmountFigure = Type.Object(
  {
    count: Count,
    base: maybe(Amount),
    by_currency: Type.Array(Amount, { maxItems: CURRENCIES }),
    list: List,
  },
  { additionalProperties: false, title: 'Amount of today' },
)
type ListOf = Static<typeof List>

export const countFigure = (count: number | null, key: string, query: ListOf['query'] = {}) =>
  count === null ? null : { count, list: { key, query } }

/** An amount of a report in the company's currency, where all rates are known, and in each currency. */
export function amountFigure(
  figures: ReportFigures | null,
  name: string,
  count: string,
  list: ListOf,
): Static<typeof AmountFigure> | null {
  if (!figures) return null
  const { summary, totals } = figures
  const amountOf = (of: ReportFigures['totals']['by_currency'][number]) => ({
    currency: of.currency,
    amount: (of[name] as string | null | undefined) ?? null,
  })
  return {
    count: Number(summary[count] ?? totals[count] ?? 0),
    base: totals.base && amountOf(totals.base),
    by_currency: totals.by_currency.map(amountOf),
    list,
  }
}
/** The filters of a report as its list takes them. */
export const reportQuery = (filters: Readonly<Record<string, string>>): ListOf['query'] =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters[${name}]`, value]))
