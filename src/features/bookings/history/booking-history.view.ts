import Type from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import { byPolicies } from '../../../platform/db/by-policies.ts'
import { PAGE_COLUMNS, PAGE_PARAMETERS, pageOf } from '../../../platform/db/page.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { instantSql, seatSql, type View, viewSql } from '../../../platform/db/view.ts'
import { enumOf, Instant, Money, maybe, Text, Texts, Uuid } from '../../../platform/http/shapes.ts'
import { Seat } from '../../accounts/reads/seats.ts'
import { personalSql, restrictedSql } from '../../customers/reads/restricted.ts'

const KINDS = ['change', 'import', 'ticket_file', 'document'] as const
type Kind = (typeof KINDS)[number]

const NAMES = 200
const NAMED = 20
const Values = (description: string) => maybe(Type.Record(Type.String(), Type.Unknown(), { description }))

/** Amounts are kept as plain numbers; a margin can be a percentage. */
const amountsSql = (part: 'amounts' | 'costs', side: string) =>
  `(select jsonb_object_agg(a.key, case when a.key = 'margin_value' then a.value else money_text(a.value::numeric, e.currency) end)
    from jsonb_each_text(e.details -> '${part}' -> '${side}') a)`
/** The values on one side of a change that the role sees. */
const sideSql = (side: 'before' | 'after') => (policies: Policies) => {
  const money = policies.has('view_money')
  const parts = [
    `coalesce(e.details -> '${side}', '{}')`,
    ...(money ? [`coalesce(${amountsSql('amounts', side)}, '{}')`] : []),
    ...(money && policies.has('view_costs') ? [`coalesce(${amountsSql('costs', side)}, '{}')`] : []),
  ]
  return `nullif(${parts.join(' || ')}, '{}')`
}
/** The records `n` of a table whose ids are among the changed values. */
const namedSql = (table: string, column: string, name: string) => `
  select n.id, ${name} as name from ${table} n where n.account_id = e.account_id and n.id in
    ((e.details -> 'before' ->> '${column}')::uuid, (e.details -> 'after' ->> '${column}')::uuid)`

/** An entry `e` of the history of a booking. */
export const historyEntry: View = {
  kind: { sql: 'e.kind', schema: enumOf(KINDS) },
  id: {
    sql: 'e.id',
    schema: { ...Uuid, description: 'Of the audit entry, the batch, the capture or the document.' },
  },
  at: { sql: instantSql('e.at'), schema: Instant },
  action: {
    sql: 'e.action',
    schema: {
      ...Text(200),
      description:
        'What was done: the action of the audit entry, `created` or `updated` by the batch, the action of the ticket file, or the type of the document.',
    },
  },
  actor: {
    sql: 'e.actor',
    schema: maybe({ ...Text(1000), description: 'The key or person, or the program itself.' }),
  },
  seat: { sql: seatSql('e.seat_id', 'e.account_id'), schema: maybe(Seat) },
  changed: {
    sql: `coalesce(e.details -> 'changed', '[]')`,
    schema: { ...Texts(NAMES, 100), description: 'The changed attributes, also those whose values are not kept.' },
  },
  before: { sql: sideSql('before'), schema: Values('Attributes before the change, as far as the role sees them.') },
  after: { sql: sideSql('after'), schema: Values('The same attributes after it.') },
  named: {
    sql: (
      policies,
    ) => `(select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.id), '[]') from (
      ${namedSql('customers', 'customer_id', personalSql(restrictedSql('n'), 'coalesce(n.name, n.legal_name)', policies))}
      union all ${namedSql('suppliers', 'supplier_id', 'n.name')}
      union all ${namedSql('seats', 'assigned_to_id', 'n.name')}) o)`,
    schema: Type.Array(Type.Object({ id: Uuid, name: maybe(Text(1000)) }), {
      maxItems: NAMED,
      description: 'The names of customers, suppliers and seats whose ids are in `before` or `after`.',
    }),
  },
  title: {
    sql: 'e.title',
    schema: maybe({ ...Text(300), description: 'Number of a document, or format of a ticket file.' }),
  },
  amount: { sql: 'money_text(e.amount, e.currency)', schema: maybe(Money), needs: ['view_money'] },
  currency: { sql: 'e.currency', schema: maybe(Text(3)) },
}

/** The entries of a kind: rows `r` of the booking `t`. */
type Source = {
  readonly kind: Kind
  readonly from: string
  readonly at: string
  readonly id: string
  readonly action: string
  readonly actor?: string
  readonly seat?: string
  readonly details?: string
  readonly title?: string
  readonly amount?: (policies: Policies) => string
  readonly currency?: string
  /** Without it the entries are left out. */
  readonly needs?: 'import_records' | 'import_tickets'
}
const OWN = 'r.account_id = t.account_id and r.booking_id = t.id'
const SOURCES: readonly Source[] = [
  {
    kind: 'change',
    from: 'audit_log r where r.account_id = t.account_id and r.subject_id = t.id::text',
    at: 'r.created_at',
    id: 'r.id',
    action: 'r.action',
    actor: 'r.actor',
    seat: 'r.seat_id',
    details: `case when r.action like 'record.%' then r.details end`,
  },
  {
    kind: 'import',
    from: `booking_imports r join import_batches b on b.account_id = r.account_id and b.id = r.batch_id where ${OWN}`,
    at: 'r.at',
    id: 'r.batch_id',
    action: 'r.outcome',
    actor: `b.operator ->> 'name'`,
    seat: `(b.operator ->> 'seat')::uuid`,
    needs: 'import_records',
  },
  {
    kind: 'ticket_file',
    from: 'ticket_captures r where r.account_id = t.account_id and r.ticket_sale_id = t.id',
    at: 'r.created_at',
    id: 'r.id',
    action: `coalesce(r.document_action, r.status)`,
    title: 'r.format',
    needs: 'import_tickets',
  },
  {
    kind: 'document',
    from: `customer_invoices r where ${OWN}`,
    at: 'r.created_at',
    id: 'r.id',
    action: 'r.document_type',
    title: 'r.number',
    amount: () => 'r.gross',
    currency: 'r.currency',
  },
  {
    kind: 'document',
    from: `supplier_bills r where ${OWN} and r.deleted_at is null`,
    at: 'r.created_at',
    id: 'r.id',
    action: `'supplier_bill'`,
    title: 'r.bill_number',
    amount: (policies) => (policies.has('view_costs') ? 'r.total_amount' : 'null'),
    currency: 'r.currency',
  },
]
const COLUMNS = 'account_id, kind, id, at, action, actor, seat_id, details, title, amount, currency'

/** The newest entries of a source, as many as a page can have. */
function newest(source: Source, policies: Policies, continues: boolean): string[] {
  const { kind, from, at, id, action, actor = 'null', seat = 'null', details = 'null', title = 'null', needs } = source
  const { amount = () => 'null', currency = 't.currency' } = source
  if (needs && !policies.has(needs)) return []
  const money = policies.has('view_money') ? amount(policies) : 'null'
  return [
    `(select t.account_id, '${kind}'::text, ${id}, ${at}, ${action}::text, ${actor}::text, ${seat}::uuid, ${details}::jsonb, ${title}::text,
      ${money}::numeric, ${currency}
    from ${from} ${continues ? `and (${at}, ${id}) < (($after::text[])[1]::timestamptz, ($after)[2]::uuid)` : ''}
    order by ${at} desc, ${id} desc limit $limit::bigint + 1)`,
  ]
}

const CONTINUES = 'after'
const readEntries = byPolicies(
  { account: pg.integer, booking: pg.uuid, ...PAGE_PARAMETERS },
  PAGE_COLUMNS,
  (policies, variant) => {
    const all = SOURCES.flatMap((source) => newest(source, policies, variant === CONTINUES))
    return pageOf(`
      select ${viewSql(historyEntry, policies)}::text as item, json_build_array(e.at::text, e.id::text) as key,
        row_number() over (order by e.at desc, e.id desc) as nth
      from bookings t cross join lateral (${all.join(' union all ')}) e(${COLUMNS})
      where t.account_id = $account and t.id = $booking order by e.at desc, e.id desc limit $limit + 1`)
  },
  [CONTINUES],
)
/** What happened to a booking, newest first. */
export const historyOfBooking = (policies: Policies, continues: boolean) =>
  readEntries(policies, continues ? CONTINUES : '')
