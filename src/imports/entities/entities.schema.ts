import Type from 'typebox'
import { enumOf, maybe, Text } from '../../platform/http/shapes.ts'

const Line = Text(2000)
const Lines = Type.Array(Line, { maxItems: 500 })

const entry = {
  key: Line,
  label: Line,
  model: Line,
  scope: enumOf(['company', 'account']),
  dependency_order: Type.Integer({ minimum: 1, maximum: 100, description: 'Import in this order: leaves first.' }),
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

/** What all entities have in common, for whoever writes a client. */
export const CONVENTIONS = {
  amounts:
    'Decimal strings such as "1234.56". The point is decimal: "1.234" is one and a bit, with the warning possible_thousands where the currency has fewer than three decimals. Send decimal_separator "," to have "1.234,56" read, or "." to have no warning. A JSON number is refused.',
  dates: 'Calendar days as YYYY-MM-DD, from 1900 to 2200.',
  timestamps: 'RFC 3339. Without an offset they are read in the account’s time zone (GET /workspace).',
  external_id: 'Your own key of the record, 1 to 200 characters, unique within entity and source_system.',
  references:
    'Tried by each key of match_by in order. A reference that is not found is a warning (skip) or an error, as on_missing says; so is one by an e-mail that your role does not see.',
  unknown_fields: 'Dropped, and named in ignored_fields.',
  re_send:
    'People and brought-forward documents update; bookings are skipped unless on_conflict is "update". An absent key leaves a field as it is, null or an empty string clears it. In a record that exists, a field that your role does not see is refused with not_permitted.',
  dry_run:
    'POST …/validate runs the commit and takes it back. What it answers, the commit answers, unless the data changes in between.',
  line_items:
    'A line is kind, amount of one unit, quantity, label, currency, vat_rate in percent and tax_inclusive. Each line is rounded to its currency; totals are sums of rounded lines.',
  travelers:
    'Saved to the customer’s traveller directory: matched by passport or national id, else by name and birth date.',
} as const
