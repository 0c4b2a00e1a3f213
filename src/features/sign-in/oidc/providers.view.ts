import Type from 'typebox'
import { instantSql, type View } from '../../../platform/db/view.ts'
import { Instant, Text, Uuid } from '../../../platform/http/shapes.ts'
import { CALLBACK_SQL } from './provider-addresses.ts'

const LINKED = `(select count(*)::integer from seat_identities i where i.account_id = p.account_id and i.provider_id = p.id)`

/** A provider `p`: never its secret. `$publicUrl` is where the cell is reached. */
export const providerView: View = {
  id: { sql: 'p.id', schema: Uuid },
  name: { sql: 'p.name', schema: Text(200) },
  issuer: { sql: 'p.issuer', schema: Text(2048) },
  client_id: { sql: 'p.client_id', schema: Text(500) },
  redirect_uri: {
    sql: CALLBACK_SQL,
    schema: Type.String({ maxLength: 1000, description: 'Register it with the provider, which sends browsers there.' }),
  },
  active: { sql: 'p.active', schema: Type.Boolean() },
  counts_as_second_factor: {
    sql: 'p.counts_as_second_factor',
    schema: Type.Boolean({ description: 'Whether signing in by it is also the second factor.' }),
  },
  linked_people: {
    sql: LINKED,
    schema: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many seats sign in by it.' }),
  },
  created_at: { sql: instantSql('p.created_at'), schema: Instant },
  updated_at: { sql: instantSql('p.updated_at'), schema: Instant },
  version: { sql: 'p.version', schema: Type.Integer({ minimum: 1 }) },
}
