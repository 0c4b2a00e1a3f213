import Type from 'typebox'
import { FEATURES } from '../../platform/access/plans.ts'
import { PageShape } from '../../platform/http/paging.ts'
import { enumOf, Instant, maybe, Text } from '../../platform/http/shapes.ts'
import { WHOLE_ROWS } from './run-report.ts'

const Name = Text(100)
const Amount = maybe(Text(60))

const ReportColumn = Type.Object(
  {
    key: Name,
    label: Text(200),
    type: enumOf(['string', 'date', 'datetime', 'money', 'integer', 'decimal', 'percent', 'uuid']),
    currency_key: Type.Optional(Name),
    sensitive: Type.Optional(enumOf(['money', 'cost', 'personal'])),
  },
  { additionalProperties: false, title: 'Report column' },
)
const ReportFilter = Type.Object(
  {
    key: Name,
    label: Text(200),
    type: enumOf(['date', 'enum', 'uuid', 'string', 'boolean', 'integer']),
    required: Type.Boolean(),
    default: Type.Unknown({ description: 'Value that applies if the filter is omitted; null if there is none.' }),
    options: Type.Optional(Type.Array(Name, { maxItems: 100 })),
    multiple: Type.Boolean({ description: 'Whether the filter accepts several options, separated by commas.' }),
  },
  { additionalProperties: false, title: 'Report filter' },
)
/** A preset in the catalogue. */
export const PresetShape = Type.Object(
  {
    key: Name,
    label: Text(200),
    description: Text(2000),
    category: Name,
    plan_feature: enumOf(FEATURES),
    filters: Type.Array(ReportFilter, { maxItems: 50 }),
    columns: Type.Array(ReportColumn, { maxItems: 100 }),
  },
  { additionalProperties: false, title: 'Report preset' },
)

/** The sums of a report or of a group. Integers are in addition to these two. */
const Totals = Type.Object(
  {
    by_currency: Type.Array(Type.Record(Type.String(), Type.Union([Amount, Type.Number()])), { maxItems: 200 }),
    base: maybe(
      Type.Record(Type.String(), Amount, {
        description:
          'In the currency of the company; null if an exchange rate is missing or the companies have different currencies.',
      }),
    ),
  },
  { title: 'Report totals' },
)
const Group = Type.Object(
  {
    key: maybe(Text(500)),
    label: maybe(Text(500)),
    count: Type.Integer({ minimum: 0, maximum: WHOLE_ROWS }),
    totals: Totals,
  },
  { additionalProperties: false, title: 'Report group' },
)

/** Whose language and customs a report is written in. */
export const localeParameter = {
  locale: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2}(-[A-Z]{2})?$',
      maxLength: 5,
      description:
        'Language of the labels, such as `tr` or `en-GB`; in files also of separators and formats. Defaults to the locale of the account.',
    }),
  ),
}

/** The response of a report. */
export const resultFields = {
  key: Text(200),
  columns: Type.Array(ReportColumn, { maxItems: 102 }),
  rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: WHOLE_ROWS }),
  summary: Type.Record(Type.String(), Type.Unknown()),
  filters: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The filters as applied; null for a filter that is not set.',
  }),
  generated_at: Instant,
  pagination: Type.Optional(
    Type.Union([PageShape, Type.Null()], {
      description: 'Only for presets with pages; null if the response contains the whole report.',
    }),
  ),
  group_by: maybe(Name),
  groups: maybe(Type.Array(Group, { maxItems: WHOLE_ROWS })),
  totals: maybe(Totals),
}
