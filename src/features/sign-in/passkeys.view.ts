import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'

/** A passkey `k`. */
export const passkeyView: View = {
  id: { sql: 'k.id', schema: Uuid },
  name: { sql: 'k.name', schema: Text(100) },
  created_at: { sql: instantSql('k.created_at'), schema: Instant },
  last_used_at: { sql: instantSql('k.last_used_at'), schema: maybe(Instant) },
  version: { sql: 'k.version', schema: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) },
}
