import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'

export const SIGN_IN_METHODS = ['link', 'password', 'passkey', 'provider'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]
const IDLE = "interval '12 hours'"
/** SQL of whether a session `e` is still good. */
export const LIVING = `e.ended_at is null and e.expires_at > now() and e.last_used_at > now() - ${IDLE}`

/** A session `e`. `$session` is the one that asks. */
export const sessionView: View = {
  id: { sql: 'e.id', schema: Uuid },
  current: {
    sql: 'e.id = $session::uuid',
    schema: Type.Boolean({ description: 'Whether it is the session that asks.' }),
  },
  method: { sql: 'e.method', schema: enumOf(SIGN_IN_METHODS) },
  user_agent: { sql: 'e.user_agent', schema: maybe(Text(1000)) },
  began_ip: { sql: 'e.began_ip', schema: Text(100) },
  last_used_ip: { sql: 'e.last_used_ip', schema: Text(100) },
  last_used_at: { sql: instantSql('e.last_used_at'), schema: Instant },
  created_at: { sql: instantSql('e.created_at'), schema: Instant },
  expires_at: { sql: instantSql('e.expires_at'), schema: Instant },
}
