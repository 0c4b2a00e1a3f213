import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'

const Seat = Type.Object({ id: Uuid, name: maybe(Text(1000)), email: maybe(Text(320)) })
const Key = Type.Object({ id: Uuid, name: maybe(Text(1000)) })

/** Parts of `details` that a role does not see: amounts before and after a change, and those of costs. */
export const hiddenDetails = (policies: Policies): string[] => [
  ...(policies.has('view_money') ? [] : ['amounts']),
  ...(policies.has('view_money') && policies.has('view_costs') ? [] : ['costs']),
]

/** An entry `e` of the audit log. A seat or a key that does not exist any more has its id alone. */
export const auditEntryView: View = {
  id: { sql: 'e.id', schema: Uuid },
  action: { sql: 'e.action', schema: Text(200) },
  subject_type: { sql: 'e.subject_type', schema: Text(200) },
  subject_id: { sql: 'e.subject_id', schema: Text(1000) },
  actor: { sql: 'e.actor', schema: Text(1000) },
  source: { sql: 'e.source', schema: Text(1000) },
  seat: {
    sql: `(select json_build_object('id', e.seat_id, 'name', s.name, 'email', s.email) from (select e.seat_id) own
      left join seats s on s.account_id = e.account_id and s.id = own.seat_id where own.seat_id is not null)`,
    schema: maybe(Seat),
  },
  key: {
    sql: `(select json_build_object('id', e.key_id, 'name', k.name) from (select e.key_id) own
      left join api_keys k on k.account_id = e.account_id and k.id = own.key_id where own.key_id is not null)`,
    schema: maybe(Key),
  },
  details: {
    sql: (policies) => `e.details - array[${quoted(hiddenDetails(policies))}]::text[]`,
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'More about the action. `before` and `after` have the attributes that it changed; amounts and costs are apart, for roles that see them.',
    }),
  },
  created_at: { sql: instantSql('e.created_at'), schema: Instant },
}
