import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { FAILURE_CAUSES } from './capture-outcome.ts'
import { documentField, OF_RESTRICTED } from './document.view.ts'
import { DOCUMENT_ACTIONS, FORMATS, PROVIDERS } from './ticket-file.ts'

const CAPTURE_STATUSES = ['parsed', 'duplicate', 'failed'] as const
export const FILENAME_LENGTH = 255
export const NUMBERS_MAXIMUM = 500
export const WARNINGS_MAXIMUM = 100
export const MESSAGE_LENGTH = 1000
export const ERROR_LENGTH = 10_000
const Numbers = maybe(Texts(NUMBERS_MAXIMUM, 20))

/** Fields whose warnings reveal what the agency earns. */
const OF_COSTS = `'commission', 'commission_amount'`
const OTHER_WARNINGS = `array_to_json(array(select w from jsonb_array_elements(t.warnings) with ordinality as e(w, nth)
  where w ->> 'code' not in (${OF_COSTS}) order by nth))`
/**
 * Warnings quote the file, so only roles that may see all of it get them. None names a restricted customer, and some
 * reveal costs.
 */
function warningsSql(policies: Policies): string {
  if (!policies.has('view_money') || !policies.has('view_personal_data')) return `'[]'::jsonb`
  const shown = policies.has('view_costs') ? 't.warnings' : OTHER_WARNINGS
  return policies.has('view_restricted_customers') ? shown : `case when ${OF_RESTRICTED} then '[]' else ${shown} end`
}
/** A reason can quote the file, including a traveller's name. */
const errorSql = (policies: Policies): string =>
  policies.has('view_personal_data') ? 't.error' : `case when t.error is not null then '${HIDDEN}' end`
const HIDDEN = 'The file could not be captured. The role of this API key is not allowed to see the reason.'

/** A capture; its table alias is `t`. */
export const captureView = {
  id: { sql: 't.id', schema: Uuid },
  status: { sql: 't.status', schema: enumOf(CAPTURE_STATUSES) },
  provider: { sql: 't.provider', schema: enumOf(PROVIDERS) },
  format: { sql: 't.format', schema: enumOf(FORMATS) },
  // Some printers name files by the traveller.
  filename: { sql: 't.filename', schema: maybe(Text(FILENAME_LENGTH)), needs: ['view_personal_data'] },
  ticket_sale_id: { sql: 't.ticket_sale_id', schema: maybe(Uuid) },
  error: { sql: errorSql, schema: maybe(Text(ERROR_LENGTH)) },
  cause: {
    sql: 't.cause',
    schema: maybe({
      ...enumOf(FAILURE_CAUSES),
      description:
        'Why the capture failed, for programs; null also if it failed before causes were recorded and was not read again since.',
    }),
  },
  document_action: { sql: 't.document_action', schema: maybe(enumOf(DOCUMENT_ACTIONS)) },
  ticket_numbers: { sql: 't.ticket_numbers', schema: Numbers },
  duplicate_ticket_numbers: { sql: 't.duplicate_numbers', schema: Numbers },
  part: {
    sql: `case when t.part_number is not null then json_build_object('number', t.part_number, 'of', t.part_count) end`,
    schema: maybe(
      Type.Object({
        number: Type.Integer({ minimum: 1, maximum: 999 }),
        of: Type.Integer({ minimum: 1, maximum: 999 }),
      }),
    ),
  },
  warnings: {
    sql: warningsSql,
    schema: Type.Array(Type.Object({ code: Text(60), message: Text(MESSAGE_LENGTH) }), { maxItems: WARNINGS_MAXIMUM }),
  },
  ticketing_deadline: {
    sql: `t.document ->> 'ticketingDeadline'`,
    schema: maybe({ ...Day, description: 'Ticketing deadline of the reservation, as printed in the file.' }),
  },
  captured_at: { sql: instantSql('t.captured_at'), schema: maybe(Instant) },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
} satisfies View

/** A capture with the content of its file. */
export const captureDetailView: View = { ...captureView, document: documentField }

const COUNT_MAXIMUM = 2_147_483_647
const EXCERPT_MAXIMUM = 8000
/** A group `g` of failed captures with the same cause, provider and format; `last` is its latest. */
export const failureView: View = {
  cause: { sql: 'g.cause', schema: captureView.cause.schema },
  provider: { sql: 'g.provider', schema: enumOf(PROVIDERS) },
  format: { sql: 'g.format', schema: enumOf(FORMATS) },
  count: { sql: 'g.count', schema: Type.Integer({ minimum: 1, maximum: COUNT_MAXIMUM }) },
  first_at: { sql: instantSql('g.first_at'), schema: Instant },
  last_at: { sql: instantSql('g.last_at'), schema: Instant },
  last_capture_id: { sql: 'last.id', schema: Uuid },
  excerpt: {
    sql: 'last.excerpt',
    schema: maybe({
      ...Text(EXCERPT_MAXIMUM),
      description:
        'Beginning of the last file. A, a and 9 stand for all letters and digits of its content; only the tags of the format are kept.',
    }),
  },
}
