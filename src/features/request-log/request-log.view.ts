import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Day, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const key = {
  sql: `json_build_object('id', r.key_id, 'name', (select k.name from api_keys k where k.account_id = r.account_id and k.id = r.key_id))`,
  schema: Type.Object({ id: Uuid, name: maybe(Text(1000)) }),
}

/** A request `r` in a list. */
export const requestItem: View = {
  id: { sql: 'r.id', schema: Uuid },
  at: { sql: instantSql('r.at'), schema: Instant },
  method: { sql: 'r.method', schema: Text(20) },
  route: { sql: 'r.route', schema: Text(1000) },
  path: { sql: 'r.path', schema: Text(1000) },
  status: {
    sql: 'r.status',
    schema: maybe(Type.Integer({ minimum: 100, maximum: 599, description: 'Null if the client hung up.' })),
  },
  duration_ms: { sql: 'round(r.duration_ms::numeric, 1)', schema: Type.Number({ minimum: 0 }) },
  key,
  address: { sql: 'r.address', schema: Text(100) },
  request_id: { sql: 'r.request_id', schema: Text(100) },
  batch_id: { sql: 'r.batch_id', schema: maybe(Uuid) },
  rows: { sql: 'r.row_count', schema: Count },
}
export const requestDetail: View = {
  ...requestItem,
  body: {
    sql: 'r.body',
    schema: maybe(
      Type.Unknown({ description: 'The body of a write that failed. Values of persons and amounts are masked.' }),
    ),
  },
}

/** Requests `r` of a day, key and route. */
export const usageItem: View = {
  day: { sql: 'r.day', schema: Day },
  key,
  method: { sql: 'r.method', schema: Text(20) },
  route: { sql: 'r.route', schema: Text(1000) },
  requests: { sql: 'r.requests', schema: Count },
  failed: { sql: 'r.failed', schema: Count },
  refused: { sql: 'r.refused', schema: Count },
  rows: { sql: 'r.row_count', schema: Count },
}
