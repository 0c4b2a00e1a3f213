import type { Agency } from './agencies.ts'

const FIRST = `array['Ayşe','Mehmet','Fatma','Mustafa','Emine','Ahmet','Hatice','Ali','Zeynep','Hüseyin','Elif','Hasan','Meryem','İbrahim','Şerife',
  'Osman','Zehra','Yusuf','Sultan','Murat','Hanife','İsmail','Merve','Ömer','Havva','Ramazan','Özlem','Gökhan','Büşra','Çağla','Iraz','Işıl',
  'Anna','James','Sophie','Lukas','Olga','Pierre','Giulia','Katarzyna']`
const LAST = `array['Yılmaz','Kaya','Demir','Şahin','Çelik','Yıldız','Yıldırım','Öztürk','Aydın','Özdemir','Arslan','Doğan','Kılıç','Aslan','Çetin',
  'Kara','Koç','Kurt','Özkan','Şimşek','Polat','Korkmaz','Işık','Güneş','Aksoy','Bulut','Keskin','Ünal','Turan','Gül','Özer','Güler','Sarı',
  'Iğdırlı','Müller','Rossi','Martin','Nowak','Smith','Ivanova']`
const pick = (list: string, seed: string) => `(${list})[1 + abs(hashint4(${seed})) % 40]`

/** One in twenty is called Yılmaz, the others have one of forty last names. */
const name = (n: string) =>
  `${pick(FIRST, n)} || ' ' || case when (${n}) % 20 = 0 then 'Yılmaz' else ${pick(LAST, `(${n}) / 7 + 1000003 * ((${n}) % 7)`)} end`
const phone = (n: string) => `'+905' || lpad((abs(hashint8((${n})::bigint * 7919)) % 1000000000)::text, 9, '0')`
const lettersOf = (n: string) =>
  Array.from({ length: 6 }, (_, at) => `chr(65 + (abs(hashint4(${n})) / ${26 ** at})::integer % 26)`).join(' || ')
export const ticketNumber = (n: string) => `'235' || lpad((abs(hashint8(${n}::bigint)) % 10000000000)::text, 10, '0')`

/** How many there are of each kind for each booking. */
const TICKETS = 0.3
const TRIPS = 0.1
const LEADS = 0.1
const TRAVELERS = 0.3

/** Fills one account with people and bookings as an agency of that size has them. Triggers and foreign keys rest. */
export function searchData({ account, company, branch }: Agency, size: number): readonly string[] {
  const own = `${account}, '${company}'::uuid, '${branch}'::uuid`
  const part = (of: number) => Math.max(1, Math.round(size * of))
  return [
    `insert into customers (account_id, company_id, branch_id, source_system, external_id, name, email, phone, code, changed, created_at)
     select ${own}, 'api', 'C-' || n, ${name('n')}, 'person' || n || '@example.com', ${phone('n')}, 'K' || n, 1 + n / 500,
       now() - n * interval '1 minute' from generate_series(1, ${size}) n`,
    `insert into suppliers (account_id, source_system, external_id, name, supplier_type, code, changed)
     select ${account}, 'api', 'S-' || n, 'Grand ' || ${pick(LAST, 'n')} || ' Resort ' || n, 'hotel', 'EGE' || n, 1 from generate_series(1, 2000) n`,
    `create temporary table people as select row_number() over (order by id) as n, id from customers where account_id = ${account} and code ~ '^K[0-9]+$'`,
    'create unique index on people (n)',
    'analyze people',
    `insert into travelers (account_id, customer_id, first_name, last_name)
     select ${account}, id, ${pick(FIRST, 'n::integer * 3')}, ${pick(LAST, 'n::integer * 5')} from people where n <= ${part(TRAVELERS)}`,
    `insert into bookings (account_id, company_id, branch_id, entity, source_system, external_id, status, customer_id, currency, transaction_date,
       travels_on, sell_total, company_currency, company_sell, changed)
     select ${own}, case when n <= ${part(TICKETS)} then 'tickets' else 'hotel_stays' end, 'api', 'B-' || n, 'confirmed', id,
       'EUR', date '2026-03-01' + (n % 300)::integer, date '2026-06-01' + (n % 300)::integer, 745, 'EUR', 745, 1 + n / 500 from people`,
    `create temporary table sales as
     select id, customer_id, substr(external_id, 3)::integer as n from bookings where account_id = ${account} and entity = 'tickets' and external_id ~ '^B-[0-9]+$'`,
    `insert into tickets (account_id, id, pnr, passengers)
     select ${account}, id, ${lettersOf('n')}, '[{"first_name": "Ayşe", "last_name": "Yılmaz"}]' from sales`,
    `insert into ticket_numbers (account_id, number, booking_id, passenger, conjunction)
     select ${account}, ${ticketNumber('n')}, id, 0, false from sales on conflict do nothing`,
    `insert into customer_invoices (account_id, company_id, branch_id, document_type, number, booking_id, customer_id, currency, issued_on, due_on,
       tax_point_on, lines, net, vat, gross)
     select ${own}, 'invoice', 'INV-2026-' || lpad(n::text, 6, '0'), id, customer_id, 'EUR', '2026-03-01', '2026-03-31', '2026-03-01', '[]',
       100, 20, 120 from sales`,
    `insert into trips (account_id, company_id, branch_id, reference_number, title, status, start_date, end_date, settings)
     select ${own}, 'TR-2026-' || lpad(n::text, 6, '0'), ${pick(LAST, 'n')} || ' family in ' || (array['Rome','İzmir','Paris','Bali'])[1 + n % 4],
       'confirmed', date '2026-06-01' + n % 300, date '2026-06-08' + n % 300, '{}' from generate_series(1, ${part(TRIPS)}) n`,
    `insert into leads (account_id, company_id, branch_id, name, email, phone, changed)
     select ${own}, ${name('n + 5')}, 'lead' || n || '@example.org', ${phone('n + 11')}, 1 + n / 500 from generate_series(1, ${part(LEADS)}) n`,
    'vacuum analyze customers, suppliers, travelers, bookings, tickets, ticket_numbers, customer_invoices, trips, leads',
    'checkpoint',
  ]
}
