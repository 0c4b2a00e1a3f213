import type { ApiClient } from '#client/import/api-client.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { dayIn } from '../../src/platform/time.ts'
import { undeclared } from '../../test/harness/undeclared.ts'
import { type Booking, type Fed, type FedBooking, priced } from './bookings.ts'
import { type Rate, type RateOf, ratesOf } from './rates.ts'

/** A row of a table, every cell as text, and lists as JSON. */
export type Raw = Readonly<Record<string, string | null>>
type Named = { readonly id: string; readonly name: string }

/** What an account has, read row by row, with nothing added up. */
export type Books = {
  readonly today: string
  readonly zone: string
  readonly rateOf: RateOf
  readonly companies: ReadonlyMap<string, Named & { readonly currency: string }>
  readonly branches: ReadonlyMap<string, Named>
  /** Names of the seats. */
  readonly seats: ReadonlyMap<string, string>
  /** Verticals and what they are called. */
  readonly products: ReadonlyMap<string, string>
  readonly bookings: ReadonlyMap<string, Booking>
  readonly feed: Readonly<Record<(typeof RECORDS)[number], readonly Fed[]>>
  readonly tables: Readonly<Record<(typeof TABLES)[number], readonly Raw[]>>
}

/** Verticals, and what they are called. */
const VERTICALS: ReadonlyMap<string, string> = new Map([
  ['tickets', 'Tickets'],
  ['hotel_stays', 'Hotel stays'],
  ['transfers', 'Transfers'],
  ['cruises', 'Cruises'],
  ['car_rentals', 'Car rentals'],
  ['tour_bookings', 'Tour bookings'],
  ['charters', 'Charters'],
  ['visa_cases', 'Visa cases'],
  ['events', 'Events'],
])
const RECORDS = ['customers', 'suppliers', 'leads', 'tour_departures', 'operator_invoices', 'supplier_bills'] as const
/** What no feed shows, or not all of. */
const TABLES = [
  'customer_invoices',
  'customer_payments',
  'supplier_bills',
  'bsp_billings',
  'bsp_lines',
  'branches',
  'customers',
  'leads',
  'travelers',
  'ticket_document_events',
  'trips',
  'trip_days',
  'trip_segments',
] as const
/** The source of the books, for the output of the check. */
export const SOURCES = `Over the feed: ${[...VERTICALS.keys(), ...RECORDS].join(', ')}.
In the database, row by row, since no feed shows all of it: ${TABLES.join(', ')}, exchange_rates.`

/** Sales are priced again with the rates that still exist; those of the demo agency are deleted. */
const UNPRICED =
  'The cell has no exchange rates, by which the books would be priced anew: backdesk rates import samples/rates.csv'

type Workspace = {
  readonly account: { readonly id: number; readonly time_zone: string }
  readonly companies: readonly (Named & { readonly currency: string })[]
  readonly branches: readonly Named[]
}
type Page<T> = { readonly data: readonly T[]; readonly page: { readonly next_cursor: string | null } }

export async function readBooks(client: ApiClient, db: Pick<Database, 'askSystem'>): Promise<Books> {
  const { account, companies, branches } = await client.get<Workspace>('/workspace')
  const users = await client.get<{ data: { id: string; name: string | null; email: string }[] }>('/users')
  const seats = new Map(users.data.map(({ id, name, email }) => [email, { id, name: name ?? email }]))
  const tables = await readAll(TABLES, (table) => readTable(db, table, account.id))
  const feed = await readAll(RECORDS, (entity) => readFeed<Fed>(client, entity))
  const starts = new Map(feed.tour_departures.map(({ id, starts_on }) => [id, starts_on as string | null]))
  const published = await db.askSystem('reports are checked', rates, {})
  if (published.length === 0) throw new Error(UNPRICED)
  const rateOf = ratesOf(published)
  const byId = new Map(companies.map((company) => [company.id, company]))
  const bookings = new Map<string, Booking>()
  for (const entity of VERTICALS.keys())
    for (const fed of await readFeed<FedBooking>(client, entity))
      bookings.set(fed.id, priced(fed, { companies: byId, seats, rateOf, starts, zone: account.time_zone }))
  return {
    today: dayIn(account.time_zone, Date.now()),
    zone: account.time_zone,
    rateOf,
    companies: byId,
    branches: new Map(branches.map((branch) => [branch.id, branch])),
    seats: new Map([...seats.values()].map(({ id, name }) => [id, name])),
    products: VERTICALS,
    bookings,
    feed,
    tables,
  }
}

async function readAll<K extends string, T>(names: readonly K[], read: (name: K) => Promise<T>): Promise<Record<K, T>> {
  const found: [K, T][] = []
  for (const name of names) found.push([name, await read(name)])
  return Object.fromEntries(found) as Record<K, T>
}

/** Every record of an entity that is not deleted. */
async function readFeed<T extends { readonly status: string }>(client: ApiClient, entity: string): Promise<T[]> {
  const found: T[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`
    const { data, page }: Page<T> = await client.get(`/imports/${entity}/records?limit=100${after}`)
    found.push(...data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found.filter(({ status }) => status !== 'deleted')
}

/** The rows of a table; amounts stay texts, since a JSON number loses what they have. */
async function readTable(db: Pick<Database, 'askSystem'>, table: string, account: number): Promise<Raw[]> {
  const rows = undeclared<{ account: number }, { row: Raw }>(`
    select (select json_object_agg(key, value) from jsonb_each_text(to_jsonb(t))) as row from ${table} t where t.account_id = $account`)
  const found = await db.askSystem('reports are checked', rows, { account })
  return found.map(({ row }) => row).filter(({ deleted_at }) => !deleted_at)
}
const rates = undeclared<object, Rate>(`
  select r.source, r.base, r.currency, r.day::text as day, r.base_units::text, r.currency_units::text from exchange_rates r`)
