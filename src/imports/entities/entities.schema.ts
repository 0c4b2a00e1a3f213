import Type from 'typebox'
import { enumOf, maybe, Text } from '../../platform/http/shapes.ts'

const Line = Text(2000)
const Lines = Type.Array(Line, { maxItems: 500 })

const entry = {
  key: Line,
  label: Line,
  model: Line,
  scope: enumOf(['company', 'account']),
  dependency_order: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Order of import; entities without references come first.',
  }),
  idempotency: Type.Object({
    external_id_required: Type.Boolean(),
    mode: enumOf(['upsert', 'create_once']),
    key: Line,
  }),
  endpoints: Type.Object({ validate: Line, import: Line }),
}
const field = {
  key: Line,
  type: Line,
  required: Type.Boolean(),
  pii: Type.Boolean({ description: 'Personal data: null for roles without `view_personal_data`.' }),
  enum_values: Lines,
  suggested_values: Lines,
  taxonomy_kind: maybe(Line),
  note: maybe(Line),
  max_length: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  default: Type.Unknown(),
}
const Field = Type.Object({
  ...field,
  items: Type.Array(Type.Object({ ...field, items: Type.Array(Type.Unknown(), { maxItems: 100 }) }), { maxItems: 100 }),
})

export const CatalogueList = Type.Object({
  data: Type.Array(Type.Object(entry), { maxItems: 100 }),
  limits: Type.Object({
    max_rows_per_request: Type.Integer({ minimum: 1, maximum: 100_000 }),
    sync_row_limit: Type.Integer({ minimum: 1, maximum: 100_000 }),
  }),
  conventions: Type.Record(Type.String(), Line),
})
export const CatalogueEntry = Type.Object({
  entity: Type.Object({
    ...entry,
    fields: Type.Array(Field, { maxItems: 200 }),
    references: Type.Array(
      Type.Object({
        key: Line,
        target_entity: Line,
        match_by: Lines,
        on_missing: enumOf(['error', 'skip']),
      }),
      { maxItems: 50 },
    ),
    sample: Type.Record(Type.String(), Type.Unknown()),
  }),
})

/** What all entities have in common, for client authors. */
export const CONVENTIONS = {
  amounts:
    'Decimal strings such as "1234.56". The point is the decimal separator: "1.234" is read as 1.234, with the warning possible_thousands if the currency has fewer than three decimals. Send decimal_separator "," for amounts such as "1.234,56", or "." to suppress the warning. JSON numbers are refused.',
  dates: 'Calendar days as YYYY-MM-DD, from 1900 to 2200.',
  timestamps: 'RFC 3339. Without an offset, in the time zone of the account (GET /workspace).',
  external_id: 'Your own key of the record, 1 to 200 characters, unique within entity and source_system.',
  references:
    'Matched by each key of match_by, in order. A reference that is not found is a warning or an error, depending on on_missing (skip or error). A reference by an e-mail that your role does not see is never found.',
  unknown_fields: 'Ignored, and listed in ignored_fields.',
  re_send:
    'Existing people and brought-forward documents are updated; existing bookings are skipped unless on_conflict is "update". An omitted field keeps its value; null or an empty string clears it. In an existing record, a field that your role does not see is refused with not_permitted.',
  dry_run:
    'POST …/validate runs the import and rolls it back. The import returns the same result, unless the data changes in between.',
  line_items:
    'A line has kind, amount (of one unit), quantity, label, currency, vat_rate (in percent) and tax_inclusive. Each line is rounded to its currency; totals are sums of rounded lines.',
  travelers:
    'Saved to the traveller directory of the customer, matched by passport or national id, otherwise by name and date of birth.',
} as const
