import type { Policies } from '../../platform/access/policies.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { PAGE_COLUMNS, PAGE_PARAMETERS, pageOf } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Instant, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { contentSql } from '../communications/reads/message-masks.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import { STATUS_SQL } from '../trips/reads/trip-status.ts'

export const TIMELINE_KINDS = ['booking', 'trip', 'message', 'note', 'document', 'task'] as const
type Kind = (typeof TIMELINE_KINDS)[number]

const TITLE = 300
/** An entry `e` of a timeline. */
export const timelineEntry: View = {
  kind: { sql: 'e.kind', schema: enumOf(TIMELINE_KINDS) },
  id: { sql: 'e.id', schema: Uuid },
  at: { sql: instantSql('e.at'), schema: Instant },
  title: { sql: 'e.title', schema: maybe(Text(2 * TITLE)) }, // an astral character counts twice
  status: { sql: 'e.status', schema: maybe(Text(60)) },
  entity: { sql: 'e.entity', schema: maybe(Text(60)) },
  amount: { sql: 'money_text(e.amount, e.currency)', schema: maybe(Money), needs: ['view_money'] },
  currency: { sql: 'e.currency', schema: maybe(Text(3)), needs: ['view_money'] },
}

/** The entries of a kind: rows `r` of the customer `c`. */
type Source = {
  readonly from: string
  readonly title: string | ((policies: Policies) => string)
  readonly at?: string
  readonly status?: string
  readonly entity?: string
  /** With its currency; read only for roles that see money. */
  readonly amount?: string
  /** Without it the kind is left out. */
  readonly isListed?: (policies: Policies) => boolean
}
const OWN = 'r.account_id = c.account_id and r.customer_id = c.id'
const SOURCES: Readonly<Record<Kind, Source>> = {
  booking: {
    from: `bookings r where ${OWN} and r.deleted_at is null`,
    title: 'booking_label(r.entity, r.external_id)',
    status: 'r.status',
    entity: 'r.entity',
    amount: 'r.sell_total',
  },
  trip: {
    from: `trip_customers x join trips r on r.account_id = x.account_id and r.id = x.trip_id
      where x.account_id = c.account_id and x.customer_id = c.id`,
    title: 'r.title',
    status: `(select ${STATUS_SQL} from trips t where t.account_id = r.account_id and t.id = r.id)`,
    isListed: (policies) => policies.has('view_trips'),
  },
  message: {
    from: `communications r where ${OWN}`,
    title: (policies) => contentSql('r', 'coalesce(r.subject, r.body_plain)', policies),
    status: 'r.status',
    entity: 'r.channel',
  },
  note: {
    from: `customer_notes r where ${OWN}`,
    title: (policies) => personalSql(restrictedSql('c'), 'r.body', policies),
  },
  document: {
    from: `customer_invoices r where ${OWN}`,
    title: 'r.number',
    entity: 'r.document_type',
    amount: 'r.gross',
  },
  task: {
    from: `tasks r where r.account_id = c.account_id and r.taskable_type = 'Customer' and r.taskable_id = c.id`,
    title: 'r.subject',
    status: `case when r.completed_at is null then 'pending' else 'completed' end`,
  },
}
const AFTER = '($after::text[])[1]::timestamptz, ($after)[2]::uuid'

/** The newest entries of a kind, as many as a page can have: so the others of a long history are not read. */
function newest(kind: Kind, policies: Policies, continues: boolean): string[] {
  const { from, title, status = 'null', entity = 'null', amount, isListed = () => true } = SOURCES[kind]
  if (!isListed(policies)) return []
  const money = amount !== undefined && policies.has('view_money') ? `${amount}, r.currency` : 'null::numeric, null'
  return [
    `(select '${kind}' as kind, r.id, r.created_at as at, left(${typeof title === 'string' ? title : title(policies)}, ${TITLE}) as title,
      ${status}::text as status, ${entity}::text as entity, ${money}
    from ${from} and '${kind}' = any($kinds::text[]) ${continues ? `and (r.created_at, r.id) < (${AFTER})` : ''}
    order by r.created_at desc, r.id desc limit $limit::bigint + 1)`,
  ]
}

const CONTINUES = 'after'
/** What concerns a customer, newest first. */
const readEntries = byPolicies(
  { account: pg.integer, customer: pg.uuid, kinds: pg.list(pg.text), ...PAGE_PARAMETERS },
  PAGE_COLUMNS,
  (policies, variant) => {
    const all = TIMELINE_KINDS.flatMap((kind) => newest(kind, policies, variant === CONTINUES))
    const entries = `customers c cross join lateral (${all.join(' union all ')}) e(kind, id, at, title, status, entity, amount, currency)
      where c.account_id = $account and c.id = $customer order by e.at desc, e.id desc limit $limit + 1`
    return pageOf(`
      select ${viewSql(timelineEntry, policies)}::text as item, json_build_array(e.at::text, e.id::text) as key,
        row_number() over (order by e.at desc, e.id desc) as nth
      from ${entries}`)
  },
  [CONTINUES],
)
export const timelineOfCustomer = (policies: Policies, continues: boolean) =>
  readEntries(policies, continues ? CONTINUES : '')

export const findCustomer = statement(
  { account: pg.integer, customer: pg.uuid },
  { id: pg.uuid },
  'select id from customers where account_id = $account and id = $customer and deleted_at is null',
)
