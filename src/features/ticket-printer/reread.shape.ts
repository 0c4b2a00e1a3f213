import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { ERROR_LENGTH } from './captures.view.ts'
import type { Reread } from './commands/reread-capture.ts'

const MOST_CHANGES = 1000
const VALUE_LENGTH = 2000
const Value = maybe(Type.String({ maxLength: VALUE_LENGTH, description: 'As text; lists and objects as JSON.' }))

export const RereadCapture = Type.Object(
  {
    id: Uuid,
    committed: Type.Boolean(),
    result: enumOf(['unchanged', 'changed', 'failed']),
    error: maybe(Text(ERROR_LENGTH)),
    changes: Type.Array(
      Type.Object({
        ticket_sale_id: maybe(Uuid),
        finished: Type.Boolean({ description: 'Whether the sale is finished, so that it does not change.' }),
        field: Text(200),
        before: Value,
        after: Value,
      }),
      { maxItems: MOST_CHANGES },
    ),
  },
  { title: 'Reread ticket capture' },
)

/** A value can be any part of a sale, so only roles that see all of a sale get values. */
const seesAll = (policies: Policies): boolean =>
  (['view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers'] as const).every((policy) =>
    policies.has(policy),
  )

/** A text of limited length; null for null. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, VALUE_LENGTH).toWellFormed()
}

export const rereadBody = ({ id, result, error, changes }: Reread, committed: boolean, policies: Policies) => {
  const shown = (value: unknown) => (seesAll(policies) ? textOf(value) : null)
  return jsonText({
    data: {
      id,
      committed,
      result,
      error: seesAll(policies) ? error : null,
      changes: changes.slice(0, MOST_CHANGES).map(({ sale, finished, field, before, after }) => ({
        ticket_sale_id: sale,
        finished,
        field,
        before: shown(before),
        after: shown(after),
      })),
    },
  })
}
