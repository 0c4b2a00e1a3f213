import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'

const INVITED = `(select max(l.expires_at) from sign_in_links l where l.account_id = s.account_id and l.seat_id = s.id
  and l.purpose = 'invitation' and l.used_at is null and l.expires_at > now())`
const LAST_USED = `(select max(e.last_used_at) from sessions e where e.account_id = s.account_id and e.seat_id = s.id)`

/** A seat `s`. */
export const personView: View = {
  id: { sql: 's.id', schema: Uuid },
  name: { sql: 's.name', schema: maybe(Text(1000)) },
  email: { sql: 's.email', schema: Text(320) },
  role: { sql: 's.role', schema: Text(100) },
  branch_id: { sql: 's.branch_id', schema: maybe(Uuid) },
  active: { sql: 's.active', schema: Type.Boolean() },
  agent_signs: { sql: 's.agent_sines', schema: Texts(100, 10) },
  locale: { sql: 's.locale', schema: Text(10) },
  reminder_mails: {
    sql: 's.mails_reminders',
    schema: Type.Boolean({ description: 'Whether task reminders are also sent by e-mail.' }),
  },
  invited_until: {
    sql: instantSql(INVITED),
    schema: maybe(Type.String({ ...Instant, description: 'When an open invitation expires.' })),
  },
  last_used_at: { sql: instantSql(LAST_USED), schema: maybe(Instant) },
  created_at: { sql: instantSql('s.created_at'), schema: Instant },
  version: { sql: 's.version', schema: Type.Integer({ minimum: 1 }) },
}
