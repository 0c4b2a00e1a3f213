import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { AUDIENCES } from './share-link-attributes.ts'

/** A share link `l`, without its token. */
export const shareLink: View = {
  id: { sql: 'l.id', schema: Uuid },
  trip_id: { sql: 'l.trip_id', schema: Uuid },
  label: { sql: 'l.label', schema: maybe(Text(200)) },
  audience: { sql: 'l.audience', schema: enumOf(AUDIENCES) },
  supplier_id: { sql: 'l.supplier_id', schema: maybe(Uuid) },
  token_hint: { sql: 'l.token_hint', schema: Text(4) },
  show_prices: { sql: 'l.show_prices', schema: Type.Boolean() },
  show_travelers: { sql: 'l.show_travelers', schema: Type.Boolean() },
  password_protected: { sql: 'l.password_hash is not null', schema: Type.Boolean() },
  active: {
    sql: `l.revoked_at is null and coalesce(l.expires_at, 'infinity') > now()`,
    schema: Type.Boolean(),
  },
  expires_at: { sql: instantSql('l.expires_at'), schema: maybe(Instant) },
  revoked_at: { sql: instantSql('l.revoked_at'), schema: maybe(Instant) },
  view_count: { sql: 'l.view_count', schema: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
  last_viewed_at: { sql: instantSql('l.last_viewed_at'), schema: maybe(Instant) },
  created_by: { sql: seatSql('l.created_by_id', 'l.account_id'), schema: maybe(Seat) },
  created_at: { sql: instantSql('l.created_at'), schema: Instant },
}
