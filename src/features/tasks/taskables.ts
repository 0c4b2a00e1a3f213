import type { Policies } from '../../platform/access/policies.ts'
import { contentSql } from '../communications/reads/message-masks.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import { restrictedLeadSql } from '../leads/reads/restricted-lead.ts'

/** What a task can be about. */
export const TASKABLE_TYPES = ['Trip', 'Lead', 'Customer', 'Booking', 'Communication'] as const
type TaskableType = (typeof TASKABLE_TYPES)[number]

const KNOWN_BY = ['name', 'legal_name', 'email', 'phone'].map((column) => `linked.${column}`).join(', ')
/** Where there is such a record, and how one of them, `linked`, reads as text. */
type Taskable = { readonly from: string; label(policies: Policies): string }
const softlyDeleted = (table: string) => `(select * from ${table} where deleted_at is null) linked`
const TASKABLES: { readonly [type in TaskableType]: Taskable } = {
  Trip: { from: 'trips linked', label: (policies) => (policies.has('view_trips') ? 'linked.title' : 'null') },
  Lead: {
    from: softlyDeleted('leads'),
    label: (policies) => personalSql(restrictedLeadSql('linked'), 'linked.name', policies),
  },
  Customer: {
    from: softlyDeleted('customers'),
    label: (policies) => personalSql(restrictedSql('linked'), `coalesce(${KNOWN_BY})`, policies),
  },
  Booking: { from: softlyDeleted('bookings'), label: () => 'booking_label(linked.entity, linked.external_id)' },
  Communication: {
    from: 'communications linked',
    label: (policies) => contentSql('linked', 'linked.subject', policies),
  },
}

/** One branch per type, over the record `linked` with this type and id in the account; null if there is none. */
function caseOf(type: string, id: string, account: string, shown: (type: TaskableType) => string): string {
  const branches = Object.entries(TASKABLES).map(
    ([name, { from }]) =>
      `when '${name}' then (select ${shown(name as TaskableType)} from ${from} where linked.account_id = ${account} and linked.id = ${id})`,
  )
  return `case ${type} ${branches.join(' ')} end`
}

/** SQL of the record that a task `t` is about, as text. */
export const taskableLabelSql = (policies: Policies): string =>
  caseOf('t.taskable_type', 't.taskable_id', 't.account_id', (type) => TASKABLES[type].label(policies))

/** SQL of the id of the record named by the parameters; null if the account has none. */
export const taskableIdSql: string = caseOf('$type::text', '$id::uuid', '$account', () => 'linked.id')
