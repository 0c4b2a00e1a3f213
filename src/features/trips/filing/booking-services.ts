import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Service, Setting } from './piece.ts'
import { rentalService } from './services/car-rentals.ts'
import { charterService, cruiseService, eventService, silentService, tourService } from './services/days.ts'
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
/** A booking with its service; null where nothing says when it is. */
export type Served = { readonly booking: Booking; readonly service: Service | null }
type ReadServed = (tx: AccountTx, ids: readonly string[], setting: Setting) => Promise<Served[]>

/** What the sale keeps of the supplier's price, where that is its price. */
const KEPT = `case when b.rate_basis = 'commissionable' then b.sell_total - b.cost_total end`
/** Tickets say it by lines of their own. */
const KEPT_OF_TICKETS = `(select -sum(l.gross) from booking_lines l
  where l.account_id = b.account_id and l.booking_id = b.id and l.side = 'cost' and l.kind = 'commission')`
const epoch = (column: string) => `(extract(epoch from o.${column}) * 1000)::float8 as ${column}`

/** Reads bookings of a vertical `o`, with the columns of its own that its service is made of. */
function source<Own>(
  table: string,
  { columns, joins = '', commission = KEPT }: { columns: string; joins?: string; commission?: string },
  serviceOf: (own: Own, setting: Setting) => Service | null,
): [string, ReadServed] {
  const read = statement<{ account: number; ids: readonly string[] }, Booking & Own>(`
    select b.id, b.status, b.deleted_at is not null as deleted, b.customer_id, b.supplier_id, b.currency,
      b.sell_total, b.cost_total, ${commission} as commission_amount,
      case when b.rate_basis = 'commissionable' and b.margin_mode is distinct from 'amount' then b.margin_value end as commission_rate,
      ${columns}
    from bookings b join ${table} o on o.account_id = b.account_id and o.id = b.id ${joins}
    where b.account_id = $account and b.id = any($ids::uuid[])`)
  return [
    table,
    async (tx, ids, setting) =>
      (await tx.all(read, { ids })).map((row) => ({ booking: row, service: serviceOf(row, setting) })),
  ]
}

/** A supplier of a stay is the hotel, unless it is known to be something else. */
const HOTEL = `left join suppliers h on h.account_id = b.account_id and h.id = b.supplier_id and h.supplier_type in ('hotel', 'other')`
/** The address of anybody else may be personal. */
const HOTEL_ADDRESS = `case when h.supplier_type = 'hotel' then h.address end as address`

/** Every vertical, by its entity. */
const SOURCES: ReadonlyMap<string, ReadServed> = new Map([
  source('tickets', { columns: 'o.legs, o.pnr', commission: KEPT_OF_TICKETS }, ticketService),
  source(
    'hotel_stays',
    { columns: `o.check_in_on, o.check_out_on, o.rooms, h.name as hotel, ${HOTEL_ADDRESS}`, joins: HOTEL },
    stayService,
  ),
  source(
    'transfers',
    {
      columns: `${['pickup_at', 'dropoff_at', 'return_pickup_at'].map(epoch)}, o.pickup_location, o.dropoff_location, o.pickup_address,
        o.dropoff_address, o.flight_number, o.flight_airport, o.vehicle_class, o.confirmation_number`,
    },
    transferService,
  ),
  source(
    'cruises',
    { columns: 'o.embark_on as first, o.disembark_on as last, o.ship_name, o.cabin_category' },
    cruiseService,
  ),
  source(
    'car_rentals',
    { columns: `${['pickup_at', 'return_at'].map(epoch)}, o.vehicle_class, o.pickup_location, o.dropoff_location` },
    rentalService,
  ),
  source(
    'tour_bookings',
    {
      columns: `d.starts_on as first, d.ends_on as last, coalesce(o.title, d.title) as title, o.pickup_point, o.booking_reference`,
      joins: 'join tour_departures d on d.account_id = o.account_id and d.id = o.tour_departure_id',
    },
    tourService,
  ),
  source(
    'charters',
    { columns: 'o.starts_on as first, o.ends_on as last, o.charter_type, o.contract_number, o.legs' },
    charterService,
  ),
  source('visa_cases', { columns: 'o.travel_on as first, o.return_on as last' }, silentService),
  source('events', { columns: 'o.starts_on as first, o.ends_on as last, o.title, o.venue_name, o.city' }, eventService),
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
