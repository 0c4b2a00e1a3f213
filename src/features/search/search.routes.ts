import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text } from '../../platform/http/shapes.ts'
import { jsonObject, jsonText } from '../../platform/json-text.ts'
import { findRecords } from './search.store.ts'
import { foundItem, KIND_NAMES } from './search.view.ts'
import { soughtIn } from './sought.ts'

const OF_EACH = 5
const OF_ONE_KIND = 20
const MAXIMUM = 50

const Group = Type.Object(
  {
    kind: enumOf(KIND_NAMES),
    items: Type.Array(viewSchema(foundItem('customers'), 'Found record'), { maxItems: MAXIMUM }),
  },
  { additionalProperties: false, title: 'Found records of a kind' },
)

export const searchRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/search',
    tag: { name: 'Search', description: 'One search over records of every kind.' },
    summary: 'Search all records',
    description:
      'Finds customers and leads by name, e-mail and phone, customers also by their code, travellers by name, bookings by their external id, tickets by number (with or without the airline) and PNR, trips by title and reference number, documents by number, and suppliers by name and code. Letters fit whatever their case and accents. Kinds with an exact match come first, and in each kind the best matches; `kind` searches one kind and returns more of it. The `id` of a ticket is that of its booking; `parent_id` is the customer of a traveller or lead, or the booking of a document. What the role does not see is neither found nor shown: names, e-mails and phones need `view_personal_data`, trips `view_trips`, invoices `view_money`, and bills also `view_costs`.',
    scope: null,
    policy: null,
    takes: {
      query: Type.Object({
        q: Text(200),
        kind: Type.Optional(enumOf(KIND_NAMES)),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAXIMUM })),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(Group, { maxItems: KIND_NAMES.length }) }),
      description: 'The groups of found records.',
    },
    errors: ['invalid_parameter'],
    async handle(reader, { query: { q, kind, limit }, actor: { policies } }) {
      const sought = soughtIn(q)
      if (!sought) return jsonObject({ data: jsonText([]) })
      const most = limit ?? (kind === undefined ? OF_EACH : OF_ONE_KIND)
      const groups = await reader.all(findRecords(policies, kind), { ...sought, most })
      const printed = groups.map(({ kind: name, items }) => jsonObject({ kind: jsonText(name), items }))
      return jsonObject({ data: `[${printed.join(',')}]` as never })
    },
  }),
]
