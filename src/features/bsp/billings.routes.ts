import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { refuseValues } from '../../platform/invalid-values.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import { isDate } from '../../platform/time.ts'
import { billingView, Count, listAllBillings } from './billings.view.ts'
import { type ImportedBilling, keepBilling, readBillingFile } from './commands/import-billing.ts'
import { removeBilling } from './commands/remove-billing.ts'

const COMMON = {
  tag: { name: 'BSP billings', description: 'What airlines bill through the BSP.' },
  scope: null,
  policy: 'manage_documents',
} as const
const MOST_WARNINGS = 10_000
const Amount = Text(40)
const Imported = Type.Object({
  data: Type.Object({
    id: Uuid,
    status: enumOf(['imported', 'unchanged']),
    company: Text(1000),
    format: enumOf(['csv', 'hot']),
    documents: Count,
    first_issue: Day,
    last_issue: Day,
    totals: maybe(
      Type.Array(
        Type.Object({ currency: Text(3), total: Amount, commission: maybe(Amount), remittance: maybe(Amount) }),
        { maxItems: 300, description: 'Per currency; null for roles that do not see money and costs.' },
      ),
    ),
    warnings: Type.Array(Text(1000), { maxItems: MOST_WARNINGS }),
  }),
})

export const billingRoutes: readonly Route[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/bsp_billings',
    summary: 'List BSP billings',
    description: 'Newest first.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(viewSchema(billingView, 'BspBilling')), description: 'A page of billings.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) => listText(page, await listAllBillings(reader, actor.policies, page, {})),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/bsp_billings',
    summary: 'Import a BSP billing',
    description:
      'A HOT file, or a CSV file with a row for each document, of at most 10 MiB. The same file again changes nothing.',
    takes: {
      file: true,
      query: Type.Object({
        company_id: Type.Optional(Type.String({ ...Uuid, description: 'The default company if omitted.' })),
        currency: Type.Optional(
          Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'Of a CSV file without a currency column.' }),
        ),
        period: Type.Optional(
          Type.String({ maxLength: 10, description: 'Last day of the period of a CSV file without this column.' }),
        ),
        map: Type.Optional(
          Type.String({ maxLength: 2_000, description: 'Columns of a CSV file: `COLUMN=FIELD`, separated by commas.' }),
        ),
      }),
    },
    answers: { status: 201, body: Imported, description: 'The billing.' },
    errors: ['validation_failed', 'invalid_parameter', 'not_found', 'conflict'],
    async prepare({ file, query: { company_id: company = null, currency = null, period = null, map = '' } }) {
      refuseValues([period !== null && !isDate(period) && ['period', 'Send an existing date as YYYY-MM-DD.']])
      const csv = { map: readMap(map), currency, periodOn: period }
      return readBillingFile({ company, bytes: await file.content.bytes(), filename: file.name, csv })
    },
    async handle(tx, { actor }, read) {
      return jsonText({ data: asSeen(await keepBilling(tx, read), actor.policies) })
    },
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/bsp_billings/:id',
    summary: 'Remove a BSP billing',
    description: 'With its documents. An older billing of the same documents becomes current again.',
    takes: byId('billing'),
    answers: { status: 204, body: Type.Null(), description: 'The billing was removed.' },
    errors: ['not_found'],
    async handle(tx, { params }) {
      await removeBilling(tx, params.id.toLowerCase())
      return NO_BODY
    },
  }),
]

const asSeen = ({ totals, ...billing }: ImportedBilling, policies: Policies) => ({
  ...billing,
  totals: policies.has('view_money') && policies.has('view_costs') ? totals : null,
})

function readMap(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  const wrong = pairs.find((pair) => pair.lastIndexOf('=') < 1)
  refuseValues([wrong !== undefined && ['map', `${wrong} is not a pair. Write COLUMN=FIELD.`]])
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
    }),
  )
}
