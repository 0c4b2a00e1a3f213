import type { Policies, Policy } from '../../platform/access/policies.ts'
import type { View } from '../../platform/db/view.ts'
import { Day, enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { namesRestrictedSql, personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import { restrictedLeadSql } from '../leads/reads/restricted-lead.ts'
import { STATUS_SQL } from '../trips/reads/trip-status.ts'

/** A kind of records that the search finds. */
type SearchedKind = {
  /** The policies without which nothing of it is found. */
  readonly needs: readonly Policy[]
  /** SQL of the call that returns ids, and how well each fits. */
  readonly found: (policies: Policies) => string
  /** SQL of the tables of its records, for rows `f` of the call. */
  readonly from: string
  readonly type: string
  readonly title: string | ((policies: Policies) => string)
  readonly subtitle: string | ((policies: Policies) => string)
  readonly state: string
  readonly date: string
  readonly parent: string
}

const NONE = 'null'
const hides = (policies: Policies) => !policies.has('view_restricted_customers')
/** A role without personal data finds people only by what is not masked. */
const identitySought = (policies: Policies) => (policies.has('view_personal_data') ? 'fold($text)' : 'null')
/** SQL of the name of a booking's customer. */
const customerOfBooking = (policies: Policies) =>
  `(select ${personalSql(restrictedSql('c'), 'c.name', policies)} from customers c
    where c.account_id = b.account_id and c.id = b.customer_id and c.deleted_at is null)`
const ofBooking = (sql: string) => (policies: Policies) =>
  personalSql(namesRestrictedSql('b', 'b.customer_id'), sql, policies)

const customers: SearchedKind = {
  needs: [],
  found: (policies) => `find_customers($q, ${identitySought(policies)}, $phone, ${hides(policies)}, $most)`,
  from: 'join customers t on t.account_id = $account and t.id = f.id and t.deleted_at is null',
  type: 't.customer_type',
  title: (policies) => personalSql(restrictedSql('t'), 't.name', policies),
  subtitle: (policies) => personalSql(restrictedSql('t'), 'coalesce(t.email, t.phone, t.code)', policies, 't.code'),
  state: `case when t.active then 'active' else 'inactive' end`,
  date: NONE,
  parent: NONE,
}
const travelers: SearchedKind = {
  needs: ['view_personal_data'],
  found: (policies) => `find_travelers(fold($text), ${hides(policies)}, $most)`,
  from: `join travelers t on t.account_id = $account and t.id = f.id
    join customers c on c.account_id = t.account_id and c.id = t.customer_id`,
  type: NONE,
  title: (policies) => personalSql(restrictedSql('c'), `concat_ws(' ', t.first_name, t.last_name)`, policies),
  subtitle: (policies) => personalSql(restrictedSql('c'), 'c.name', policies),
  state: NONE,
  date: NONE,
  parent: 't.customer_id',
}
const bookings: SearchedKind = {
  needs: [],
  found: () => 'find_bookings($q, $most)',
  from: 'join bookings b on b.account_id = $account and b.id = f.id',
  type: 'b.entity',
  title: 'booking_label(b.entity, b.external_id)',
  subtitle: customerOfBooking,
  state: 'b.status',
  date: 'coalesce(b.travels_on, b.transaction_date)',
  parent: NONE,
}
const tickets: SearchedKind = {
  needs: [],
  found: () => 'find_tickets($q, $ticket, $most)',
  from: `join bookings b on b.account_id = $account and b.id = f.id and b.deleted_at is null
    join tickets t on t.account_id = b.account_id and t.id = b.id
    left join ticket_numbers n on n.account_id = b.account_id and n.booking_id = b.id and n.number = f.detail`,
  type: 'b.entity',
  title: `coalesce(left(f.detail, 3) || '-' || substr(f.detail, 4), t.pnr, t.gds_pnr)`,
  subtitle: ofBooking(
    `concat_ws(' ', t.passengers -> coalesce(n.passenger, 0) ->> 'first_name', t.passengers -> coalesce(n.passenger, 0) ->> 'last_name')`,
  ),
  state: 'b.status',
  date: 'coalesce(b.travels_on, b.transaction_date)',
  parent: NONE,
}
const trips: SearchedKind = {
  needs: ['view_trips'],
  found: () => 'find_trips($q, fold($text), $most)',
  from: 'join trips t on t.account_id = $account and t.id = f.id',
  type: 't.trip_type',
  title: 't.title',
  subtitle: 't.reference_number',
  state: STATUS_SQL,
  date: 't.start_date',
  parent: NONE,
}
const documents: SearchedKind = {
  needs: ['view_money'],
  found: (policies) => `find_documents($q, ${policies.has('view_costs')}, $most)`,
  from: `
    left join customer_invoices i on f.detail = 'customer_invoice' and i.account_id = $account and i.id = f.id
    left join supplier_bills s on f.detail = 'supplier_bill' and s.account_id = $account and s.id = f.id
    left join operator_invoices o on f.detail = 'operator_invoice' and o.account_id = $account and o.id = f.id`,
  type: `case when i.document_type = 'credit_note' then 'credit_note' else f.detail end`,
  title: 'coalesce(i.number, s.bill_number, o.invoice_number)',
  subtitle: (policies) => `case when i.id is not null
    then (select ${personalSql(restrictedSql('c'), 'c.name', policies)} from customers c where c.account_id = i.account_id and c.id = i.customer_id)
    else (select p.name from suppliers p where p.account_id = $account and p.id = coalesce(s.supplier_id, o.supplier_id)) end`,
  state: `case when i.document_type = 'credit_note' then 'posted' when i.settled_on = 'infinity' then 'open' when i.id is not null then 'settled'
    else coalesce(s.status, o.status) end`,
  date: 'coalesce(i.issued_on, s.issued_on, o.issued_on)',
  parent: 'coalesce(i.booking_id, s.booking_id, o.booking_id)',
}
const leads: SearchedKind = {
  needs: ['view_personal_data'],
  found: (policies) => `find_leads(fold($text), $phone, ${hides(policies)}, $most)`,
  from: 'join leads t on t.account_id = $account and t.id = f.id and t.deleted_at is null',
  type: 't.source',
  title: (policies) => personalSql(restrictedLeadSql('t'), 't.name', policies),
  subtitle: (policies) => personalSql(restrictedLeadSql('t'), 'coalesce(t.email, t.phone)', policies),
  state: 't.stage',
  date: 't.target_departure_on',
  parent: 't.customer_id',
}
const suppliers: SearchedKind = {
  needs: [],
  found: () => 'find_suppliers($q, fold($text), $most)',
  from: 'join suppliers t on t.account_id = $account and t.id = f.id and t.deleted_at is null',
  type: 't.supplier_type',
  title: 't.name',
  subtitle: 'coalesce(t.code, t.iata_code)',
  state: `case when t.active then 'active' else 'inactive' end`,
  date: NONE,
  parent: NONE,
}

/** What is searched, in the order of groups that fit equally well. */
export const SEARCHED_KINDS = { customers, travelers, bookings, tickets, trips, documents, leads, suppliers } as const
export type KindName = keyof typeof SEARCHED_KINDS
export const KIND_NAMES = Object.keys(SEARCHED_KINDS) as readonly KindName[]
/** Kinds whose call returns a third column. */
export const WITH_DETAIL: ReadonlySet<string> = new Set(['tickets', 'documents'])

const LABEL = 1_000
/** A found record of a kind. */
export const foundItem = (name: KindName): View => {
  const { type, title, subtitle, state, date, parent } = SEARCHED_KINDS[name] as SearchedKind
  return {
    id: { sql: 'f.id', schema: Uuid },
    kind: { sql: `'${name}'`, schema: enumOf(KIND_NAMES) },
    type: { sql: type, schema: maybe(Text(60)) },
    title: { sql: title, schema: maybe(Text(LABEL)) },
    subtitle: { sql: subtitle, schema: maybe(Text(LABEL)) },
    state: { sql: state, schema: maybe(Text(60)) },
    date: { sql: date, schema: maybe(Day) },
    parent_id: { sql: parent, schema: maybe(Uuid) },
  }
}
