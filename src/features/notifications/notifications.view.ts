import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { Instant, maybe, oneOf, Seat, Text, Uuid } from '../shapes.ts'

export const KINDS = [
  'task_assigned',
  'task_due',
  'lead_assigned',
  'message_received',
  'message_failed',
  'option_expiring',
  'booking_unfiled',
  'import_finished',
  'webhook_disabled',
  'ticket_captured',
  'ticket_capture_failed',
  'report_ready',
  'survey_detractor',
] as const

/** A notification `t`. */
export const notificationItem: View = {
  id: { sql: 't.id', schema: Uuid },
  kind: { sql: 't.kind', schema: oneOf(KINDS) },
  title: { sql: 't.title', schema: Text(1000) },
  body: { sql: 't.body', schema: maybe(Text(10_000)) },
  subject_type: { sql: 't.subject_type', schema: maybe(Text(60)) },
  subject_id: { sql: 't.subject_id', schema: maybe(Uuid) },
  subject_label: { sql: 't.subject_label', schema: maybe(Text(1000)) },
  priority: { sql: 't.priority', schema: oneOf(['normal', 'high']) },
  actor: { sql: seatSql('t.actor_id', 't.account_id'), schema: maybe(Seat) },
  read_at: { sql: instantSql('t.read_at'), schema: maybe(Instant) },
  unread: { sql: 't.read_at is null', schema: Type.Boolean() },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
}
