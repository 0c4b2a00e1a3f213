import type { Agencies } from './agencies.ts'
import { SUPPLIERS } from './data.ts'

/** What an import writes under one change number. */
const PER_CHANGE = 500
export const FEED_BOOKINGS = 100_000
/** Over all accounts, those of the feed's among them. */
export const BOOKINGS = 1_000_000

const customers = `
  insert into customers (account_id, company_id, branch_id, source_system, external_id, name, email, phone, address, preferred_currency, code, changed)
  select a.account, a.company, a.branch, 'api', 'C-' || n, 'Ayşe Yılmaz ' || n, 'c' || n || '@example.com', '+905321234567',
    '{"city": "İstanbul", "line": "Bağdat Caddesi 101"}', 'TRY', 'K' || n, 1 + n / ${PER_CHANGE}
  from json_to_recordset($1) as a(account integer, company uuid, branch uuid), generate_series(1, $2) as n`
const suppliers = `
  insert into suppliers (account_id, source_system, external_id, name, supplier_type, code, changed)
  select a.account, 'api', 'S-' || n, 'Grand Ege Resort ' || n, 'hotel', 'EGE' || n, 1
  from json_to_recordset($1) as a(account integer), generate_series(1, ${SUPPLIERS}) as n`
const counters = `
  insert into change_counters (account_id, last)
  select a.account, 1000 from json_to_recordset($1) as a(account integer) on conflict (account_id) do update set last = excluded.last`

const bookings = `
  with c as (select array_agg(id) as ids from customers where account_id = $1),
    s as (select array_agg(id) as ids from suppliers where account_id = $1),
    made as (
      insert into bookings (account_id, entity, company_id, branch_id, source_system, external_id, status, customer_id, supplier_id, currency,
        transaction_date, notes, travelers, sell_total, cost_total, margin_total, vat_total,
        company_currency, company_sell, company_cost, company_margin, company_vat, changed)
      select $1, 'hotel_stays', $2, $3, 'api', 'F-' || n, 'confirmed', c.ids[1 + n % cardinality(c.ids)], s.ids[1 + n % cardinality(s.ids)], 'EUR',
        '2026-03-02', 'Late arrival.', '[{"first_name": "Ayşe", "last_name": "Yılmaz", "nationality": "TR", "passport_number": "U1", "passport_country": "TR"}]',
        745, 560, 166.28, 69.63, 'EUR', 745, 560, 166.28, 69.63, 1 + n / ${PER_CHANGE}
      from c, s, generate_series(1, $4::integer) as n returning id
    ), stays as (
      insert into hotel_stays (account_id, id, check_in_on, check_out_on, guest_count) select $1, id, '2026-07-10', '2026-07-14', 2 from made
    )
  insert into booking_lines (account_id, booking_id, side, position, origin, kind, label, amount, quantity, currency, vat_rate, tax_inclusive, net, vat, gross, rate)
  select $1, made.id, l.side, l.position, 'given', l.kind, null, l.amount, l.quantity, 'EUR', l.rate, true, l.net, l.vat, l.net + l.vat, 1
  from made, (values ('sell', 0, 'room_rate', 180, 4, 10, 654.55, 65.45), ('sell', 1, 'service_fee', 25, 1, 20, 20.83, 4.17),
    ('cost', 2, 'room_rate', 140, 4, 10, 509.09, 50.91)) as l(side, position, kind, amount, quantity, rate, net, vat)`

/** Fills the accounts with people, spread evenly. Triggers and foreign keys rest meanwhile; what they would write is written here. */
export async function fillPeople({ all, asSuperuser }: Agencies, count: number): Promise<void> {
  const client = await asSuperuser()
  await client.query(`set session_replication_role = replica; set statement_timeout = 0`)
  const accounts = JSON.stringify(all.map(({ account, company, branch }) => ({ account, company, branch })))
  await client.query(suppliers, [accounts])
  await client.query(counters, [accounts])
  await client.query(customers, [accounts, Math.max(1, Math.round(count / all.length))])
  await client.query('vacuum analyze customers, suppliers')
  await client.query('checkpoint')
  await client.end()
}

/** A million stays with their lines: 100,000 in the first account, the rest spread over the others, which have people already. */
export async function fillBookings({ all, asSuperuser }: Agencies): Promise<void> {
  const client = await asSuperuser()
  await client.query(`set session_replication_role = replica; set statement_timeout = 0`)
  const others = Math.round((BOOKINGS - FEED_BOOKINGS) / Math.max(1, all.length - 1))
  for (const [at, { account, company, branch }] of all.entries())
    await client.query(bookings, [account, company, branch, at === 0 ? FEED_BOOKINGS : others])
  await client.query('vacuum analyze bookings, hotel_stays, booking_lines')
  await client.query('checkpoint')
  await client.end()
}
