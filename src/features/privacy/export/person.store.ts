import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'

/** Rows that are in memory at a time. */
const PAGE = 500
const OF_PERSON = { account: pg.integer, customer: pg.uuid, after: pg.nullable(pg.uuid) }
/** Columns by which the program finds or works on a row, and what the agency paid and earned, which is its own. */
const LEFT_OUT = [
  ...['account_id', 'search', 'changed', 'email_key', 'name_key', 'starts', 'token', 'leased_by', 'next_attempt_at'],
  ...['cost_total', 'margin_total', 'margin_mode', 'margin_value', 'rate_basis'],
  ...['company_sell', 'company_cost', 'company_margin', 'company_vat', 'company_currency'],
]
const plain = (row: string) => `(to_jsonb(${row}) - '{${LEFT_OUT.join(',')}}'::text[])`
const all = (table: string, condition: string, order = 'x.id') =>
  `coalesce((select jsonb_agg(${plain('x')} order by ${order}) from ${table} x where x.account_id = t.account_id and ${condition}), '[]')`
/** What a booking says as the vertical that it is. */
const VERTICALS = [
  'hotel_stays',
  'tickets',
  'transfers',
  'cruises',
  'car_rentals',
  'charters',
  'visa_cases',
  'events',
  'tour_bookings',
]
const details = VERTICALS.map(
  (table) => `(select ${plain('x')} from ${table} x where x.account_id = t.account_id and x.id = t.id)`,
).join(', ')

const pageOf = (table: string, condition: string, row = plain('t')) =>
  statement(
    OF_PERSON,
    { id: pg.uuid, row: pg.text },
    `
    select t.id, (${row})::text as row from ${table} t
    where t.account_id = $account and (${condition}) and ($after::uuid is null or t.id > $after::uuid)
    order by t.id limit ${PAGE}`,
  )

const OWN = 't.customer_id = $customer::uuid'
/** What is stored of a customer, by the name of its part of the archive. Customers merged into it are part of it. */
export const PERSON_PARTS = {
  profile: pageOf('customers', 't.id = $customer::uuid or t.merged_into_id = $customer::uuid'),
  consents: pageOf(
    'customers',
    't.id = $customer::uuid',
    `jsonb_build_object('id', t.id, 'marketing', t.opted_in_marketing, 'since', t.opted_in_at)`,
  ),
  travelers: pageOf('travelers', OWN),
  notes: pageOf('customer_notes', OWN),
  leads: pageOf('leads', `${OWN} or t.imported_customer_id = $customer::uuid`),
  messages: pageOf('communications', OWN),
  bookings: pageOf(
    'bookings',
    OWN,
    `${plain('t')} || jsonb_build_object('lines', ${all('booking_lines', "x.booking_id = t.id and x.side = 'sell'", 'x.position')}, 'details', coalesce(${details}))`,
  ),
  trips: pageOf(
    'trips',
    'exists (select from trip_customers c where c.account_id = t.account_id and c.trip_id = t.id and c.customer_id = $customer::uuid)',
    `${plain('t')} || jsonb_build_object('segments', ${all('trip_segments', 'x.trip_id = t.id')})`,
  ),
  surveys: pageOf(
    'surveys',
    OWN,
    `${plain('t')} || jsonb_build_object('ratings', ${all('survey_ratings', 'x.survey_id = t.id')})`,
  ),
  documents: pageOf(
    'customer_invoices',
    OWN,
    `${plain('t')} || jsonb_build_object('payments', ${all('customer_payments', 'x.invoice_id = t.id')})`,
  ),
  tasks: pageOf('tasks', `t.taskable_type = 'Customer' and t.taskable_id = $customer::uuid`),
  referral_codes: pageOf('referral_codes', OWN),
  birthday_greetings: pageOf('birthday_greetings', OWN),
} as const
export type PersonPage = RowFrom<ReturnType<typeof pageOf>>

/** Files of the customer's notes and messages. */
export const filesOfPerson = statement(
  OF_PERSON,
  { id: pg.uuid, name: pg.text },
  `
  select f.id, f.filename as name from files f
  where f.account_id = $account and ($after::uuid is null or f.id > $after::uuid) and f.id in (
    select a.file_id from customer_notes n join note_attachments a on a.account_id = n.account_id and a.note_id = n.id
    where n.account_id = $account and n.customer_id = $customer::uuid
    union all
    select a.file_id from communications m
      join communication_attachments a on a.account_id = m.account_id and a.communication_id = m.id
    where m.account_id = $account and m.customer_id = $customer::uuid)
  order by f.id limit ${PAGE}`,
)

export const findPerson = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'select id from customers where account_id = $account and id = $id',
)
