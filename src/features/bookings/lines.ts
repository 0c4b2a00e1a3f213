import Type from 'typebox'
import { money, percent } from '../../catalogue/amounts.ts'
import { required } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { boolean, currency, integer, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import { Day, enumOf, maybe, Text } from '../../platform/http/shapes.ts'
import { LINE_ORIGINS, type Side } from './pricing.ts'

const KINDS = [
  'room_rate',
  'package_price',
  'daily_rate',
  'cabin_fare',
  'base_fare',
  'tax',
  'service_fee',
  'commission',
  'discount',
  'extra',
  'insurance',
  'transfer_fare',
  'penalty',
  'margin',
  'other',
]

const lineItems = {
  kind: required(string(60, KINDS)),
  amount: { ...required(money()), note: 'Price of one unit.' },
  label: string(200),
  currency: { ...currency, note: 'If omitted, the currency of the booking.' },
  vat_rate: { ...percent, note: 'Percent; omitted: no VAT.' },
  tax_inclusive: { ...boolean, default: true },
  quantity: { ...integer(0, 1_000_000), default: 1 },
} satisfies Record<string, Field>

const Decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 30 })
const shownLine = Type.Object({
  kind: Text(60),
  label: maybe(Text(200)),
  amount: Decimal,
  quantity: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  currency: Text(3),
  vat_rate: maybe(Decimal),
  tax_inclusive: Type.Boolean(),
  net: Decimal,
  vat: Decimal,
  gross: Decimal,
  rate: maybe(Decimal),
  rate_day: maybe(Day),
  rate_source: maybe(Text(60)),
  origin: enumOf(LINE_ORIGINS),
})

/** What a line shows besides what a row gives. */
export const SHOWN_OF_LINES: ReadonlySet<string> = new Set(
  Object.keys(shownLine.properties).filter((name) => !Object.hasOwn(lineItems, name)),
)

/** Rows as JSON, since `json_build_object` takes half as long again. */
const linesOf = (side: Side, columns: string, only = 'true') =>
  `(select coalesce(json_agg(row_to_json(line) order by l.position), '[]')
    from booking_lines l cross join lateral (select ${columns}) line
    where l.account_id = t.account_id and l.booking_id = t.id and l.side = '${side}' and ${only})`
const stored = `l.kind, trim_scale(l.amount)::text as amount, l.label, l.currency, trim_scale(l.vat_rate)::text as vat_rate,
  l.tax_inclusive, l.quantity, l.origin`
const shown = `l.kind, l.label, money_text(l.amount, l.currency) as amount, l.quantity, l.currency,
  trim_scale(l.vat_rate)::text as vat_rate, l.tax_inclusive, money_text(l.net, l.currency) as net,
  money_text(l.vat, l.currency) as vat, money_text(l.gross, l.currency) as gross, trim_scale(l.rate)::text as rate,
  l.rate_day, l.rate_source, l.origin`

/** Lines derived with a flat margin are the cost's own and the margin; these kinds state their own cost. */
const IMPLIES_NO_COST = `l.kind not in ('margin', 'commission') and not (l.origin = 'derived' and t.margin_mode is not distinct from 'amount')`

/** The sell or cost lines that a row gives. A record shows all lines that came of them, with their rounded parts. */
export const linesField = (side: Side): Field => ({
  ...list(lineItems),
  sees: side === 'sell' ? 'money' : 'costs',
  elsewhere: {
    print: linesOf(side, stored),
    show: linesOf(side, shown),
    showWithoutCosts: linesOf(side, shown, IMPLIES_NO_COST),
    schema: Type.Array(shownLine, { maxItems: 1000 }),
  },
})
