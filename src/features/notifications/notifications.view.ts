import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'

/** A notification `t`. */
export const notificationItem: View = {
  id: { sql: 't.id', schema: Uuid },
  kind: { sql: 't.kind', schema: enumOf(NOTIFICATION_KINDS) },
  title: { sql: 't.title', schema: Text(1000) },
  body: { sql: 't.body', schema: maybe(Text(10_000)) },
  subject_type: { sql: 't.subject_type', schema: maybe(Text(60)) },
  subject_id: { sql: 't.subject_id', schema: maybe(Uuid) },
  subject_label: { sql: 't.subject_label', schema: maybe(Text(1000)) },
  priority: { sql: 't.priority', schema: enumOf(['normal', 'high']) },
  actor: { sql: seatSql('t.actor_id', 't.account_id'), schema: maybe(Seat) },
  read_at: { sql: instantSql('t.read_at'), schema: maybe(Instant) },
  unread: { sql: 't.read_at is null', schema: Type.Boolean() },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
}
