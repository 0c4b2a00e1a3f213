import type { AccountTx } from '../../platform/db/account-tx.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Service, Setting } from './piece.ts'
import { rentalService } from './services/car-rentals.ts'
import { charterService, cruiseService, eventService, silentService, tourService } from './services/days.ts'
import type { Leg } from './services/flights.ts'
import { stayService } from './services/hotel-stays.ts'
import { ticketService } from './services/tickets.ts'
import { transferService } from './services/transfers.ts'

/** What all bookings have, as their segments need it. Amounts are in the currency. */
export type Booking = {
  readonly id: string
  readonly status: string
  readonly deleted: boolean
  readonly customer_id: string | null
  readonly supplier_id: string | null
  readonly currency: string
  readonly sell_total: string | null
  readonly cost_total: string | null
  readonly commission_amount: string | null
  readonly commission_rate: string | null
}
/** A booking with its service; null if it has no date. */
export type Served = { readonly booking: Booking; readonly service: Service | null }
type ReadServed = (tx: AccountTx, ids: readonly string[], setting: Setting) => Promise<Served[]>

/** What the sale keeps of the supplier's price, if that is its price. */
const KEPT = `case when b.rate_basis = 'commissionable' then b.sell_total - b.cost_total end`
/** Ticket sales have lines for it. */
const KEPT_OF_TICKETS = `(select -sum(l.gross) from booking_lines l
  where l.account_id = b.account_id and l.booking_id = b.id and l.side = 'cost' and l.kind = 'commission')`
const epoch = (column: string) => `(extract(epoch from o.${column}) * 1000)::float8`

/** A column of a vertical: its SQL, and its type. */
type OwnColumn = readonly [sql: string, type: pg.PgType]
const BOOKING = {
  id: pg.uuid,
  status: pg.text,
  deleted: pg.boolean,
  customer_id: pg.nullable(pg.uuid),
  supplier_id: pg.nullable(pg.uuid),
  currency: pg.text,
  sell_total: pg.nullable(pg.numeric),
  cost_total: pg.nullable(pg.numeric),
  commission_amount: pg.nullable(pg.numeric),
  commission_rate: pg.nullable(pg.numeric),
}

/** Reads bookings of a vertical `o`, with the columns that its service needs. */
function source<Own>(
  table: string,
  { columns, joins = '', commission = KEPT }: Source<Own>,
  serviceOf: (own: Own, setting: Setting) => Service | null,
): [string, ReadServed] {
  const own = Object.entries<OwnColumn>(columns)
  const read = statement(
    { account: pg.integer, ids: pg.list(pg.uuid) },
    { ...BOOKING, ...Object.fromEntries(own.map(([name, [, type]]) => [name, type])) },
    `
    select b.id, b.status, b.deleted_at is not null as deleted, b.customer_id, b.supplier_id, b.currency,
      b.sell_total, b.cost_total, ${commission} as commission_amount,
      case when b.rate_basis = 'commissionable' and b.margin_mode is distinct from 'amount' then b.margin_value end as commission_rate,
      ${own.map(([name, [sql]]) => `${sql} as ${name}`).join(', ')}
    from bookings b join ${table} o on o.account_id = b.account_id and o.id = b.id ${joins}
    where b.account_id = $account and b.id = any($ids::uuid[])`,
  )
  return [
    table,
    async (tx, ids, setting) =>
      (await tx.all(read, { ids })).map((row) => ({ booking: row, service: serviceOf(row as Own, setting) })),
  ]
}
type Source<Own> = {
  readonly columns: { readonly [K in keyof Own]-?: OwnColumn }
  readonly joins?: string
  readonly commission?: string
}

/** A supplier of a stay is the hotel, unless it is known to be something else. */
const HOTEL = `left join suppliers h on h.account_id = b.account_id and h.id = b.supplier_id and h.supplier_type in ('hotel', 'other')`
/** Other addresses may be personal. */
const HOTEL_ADDRESS = `case when h.supplier_type = 'hotel' then h.address end`
const TEXT = pg.nullable(pg.text)
const DATE = pg.nullable(pg.date)
const LEGS = pg.nullable(pg.json<readonly Leg[]>())

/** Every vertical, by its entity. */
const SOURCES: ReadonlyMap<string, ReadServed> = new Map([
  source(
    'tickets',
    { columns: { legs: ['o.legs', LEGS], pnr: ['o.pnr', TEXT] }, commission: KEPT_OF_TICKETS },
    ticketService,
  ),
  source(
    'hotel_stays',
    {
      columns: {
        check_in_on: ['o.check_in_on', pg.date],
        check_out_on: ['o.check_out_on', pg.date],
        rooms: ['o.rooms', pg.nullable(pg.json<object[]>())],
        hotel: ['h.name', TEXT],
        address: [HOTEL_ADDRESS, pg.nullable(pg.json<object>())],
      },
      joins: HOTEL,
    },
    stayService,
  ),
  source(
    'transfers',
    {
      columns: {
        pickup_at: [epoch('pickup_at'), pg.float],
        dropoff_at: [epoch('dropoff_at'), pg.nullable(pg.float)],
        return_pickup_at: [epoch('return_pickup_at'), pg.nullable(pg.float)],
        pickup_location: ['o.pickup_location', pg.text],
        dropoff_location: ['o.dropoff_location', pg.text],
        pickup_address: ['o.pickup_address', TEXT],
        dropoff_address: ['o.dropoff_address', TEXT],
        flight_number: ['o.flight_number', TEXT],
        flight_airport: ['o.flight_airport', TEXT],
        vehicle_class: ['o.vehicle_class', TEXT],
        confirmation_number: ['o.confirmation_number', TEXT],
      },
    },
    transferService,
  ),
  source(
    'cruises',
    {
      columns: {
        first: ['o.embark_on', DATE],
        last: ['o.disembark_on', DATE],
        ship_name: ['o.ship_name', TEXT],
        cabin_category: ['o.cabin_category', TEXT],
      },
    },
    cruiseService,
  ),
  source(
    'car_rentals',
    {
      columns: {
        pickup_at: [epoch('pickup_at'), pg.nullable(pg.float)],
        return_at: [epoch('return_at'), pg.nullable(pg.float)],
        vehicle_class: ['o.vehicle_class', TEXT],
        pickup_location: ['o.pickup_location', TEXT],
        dropoff_location: ['o.dropoff_location', TEXT],
      },
    },
    rentalService,
  ),
  source(
    'tour_bookings',
    {
      columns: {
        first: ['d.starts_on', DATE],
        last: ['d.ends_on', DATE],
        title: ['coalesce(o.title, d.title)', pg.text],
        pickup_point: ['o.pickup_point', TEXT],
        booking_reference: ['o.booking_reference', TEXT],
      },
      joins: 'join tour_departures d on d.account_id = o.account_id and d.id = o.tour_departure_id',
    },
    tourService,
  ),
  source(
    'charters',
    {
      columns: {
        first: ['o.starts_on', DATE],
        last: ['o.ends_on', DATE],
        charter_type: ['o.charter_type', TEXT],
        contract_number: ['o.contract_number', TEXT],
        legs: ['o.legs', LEGS],
      },
    },
    charterService,
  ),
  source('visa_cases', { columns: { first: ['o.travel_on', DATE], last: ['o.return_on', DATE] } }, silentService),
  source(
    'events',
    {
      columns: {
        first: ['o.starts_on', DATE],
        last: ['o.ends_on', DATE],
        title: ['o.title', pg.text],
        venue_name: ['o.venue_name', TEXT],
        city: ['o.city', TEXT],
      },
    },
    eventService,
  ),
])
export const VERTICALS: readonly string[] = [...SOURCES.keys()]

/** Reads bookings, each with its service. */
export async function readServed(
  tx: AccountTx,
  bookings: readonly { readonly id: string; readonly entity: string }[],
  setting: Setting,
): Promise<Served[]> {
  const all = [...Map.groupBy(bookings, ({ entity }) => entity)].map(([entity, some]) =>
    SOURCES.get(entity)?.(
      tx,
      some.map(({ id }) => id),
      setting,
    ),
  )
  return (await Promise.all(all)).flatMap((some) => some ?? [])
}
