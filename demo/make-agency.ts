import { makeCarRentals } from './agency/car-rentals.ts'
import { makeCruises } from './agency/cruises.ts'
import { makeCustomer } from './agency/customers.ts'
import { makeHotelStays } from './agency/hotel-stays.ts'
import { makeLeads } from './agency/leads.ts'
import { makeOperatorInvoices } from './agency/operator-invoices.ts'
import { makeSupplierBills } from './agency/supplier-bills.ts'
import { makeSupplier } from './agency/suppliers.ts'
import { makeTickets } from './agency/tickets.ts'
import { makeTourBookings } from './agency/tour-bookings.ts'
import { makeTourDepartures } from './agency/tour-departures.ts'
import { makeTransfers } from './agency/transfers.ts'
import { calendarAround } from './pieces/calendar.ts'
import type { Booked } from './pieces/documents.ts'
import { type Row, repeat } from './pieces/row.ts'
import type { World } from './pieces/world.ts'
import { seeded } from './random.ts'

/** What an agency has rows of, in an order in which every record finds those that it names. */
export const ENTITIES = [
  'customers',
  'suppliers',
  'leads',
  'tour_departures',
  'tickets',
  'hotel_stays',
  'transfers',
  'cruises',
  'car_rentals',
  'tour_bookings',
  'operator_invoices',
  'supplier_bills',
] as const
export type EntityKey = (typeof ENTITIES)[number]
/** Rows of each entity. What names customers, suppliers or departures needs some of them. */
export type AgencySize = Readonly<Partial<Record<EntityKey, number>>>
export type Agency = Readonly<Record<EntityKey, readonly Row[]>>

const SERIES = 100

/**
 * A travel agency's year around a day of it, as import rows, the same for the same seed. Every row imports, and every
 * reference finds its record; `add-dirt.ts` makes real exports of them.
 */
export function makeAgency({
  seed,
  today,
  ...size
}: AgencySize & { readonly seed: number; readonly today: string }): Agency {
  const day = calendarAround(today)
  const series = seed % SERIES
  const sizeOf = (key: EntityKey) => size[key] ?? 0
  const streamOf = (key: EntityKey) => seeded(seed * ENTITIES.length + ENTITIES.indexOf(key))

  const [ofCustomers, ofSuppliers] = [streamOf('customers'), streamOf('suppliers')]
  const customers = repeat(sizeOf('customers'), (at) => makeCustomer({ random: ofCustomers, day, series }, at))
  const suppliers = repeat(sizeOf('suppliers'), (at) => makeSupplier({ random: ofSuppliers, series }, at))
  const byType = Map.groupBy(suppliers, ({ row }) => row.supplier_type)
  const world = (key: EntityKey): World => ({ random: streamOf(key), day, series, customers, suppliers: byType })
  const rowsOf = (key: EntityKey, make: (world: World, count: number) => Row[]) => make(world(key), sizeOf(key))

  const departures = makeTourDepartures(world('tour_departures'), sizeOf('tour_departures'))
  const bookings = {
    tickets: rowsOf('tickets', makeTickets),
    hotel_stays: rowsOf('hotel_stays', makeHotelStays),
    transfers: rowsOf('transfers', makeTransfers),
    cruises: rowsOf('cruises', makeCruises),
    car_rentals: rowsOf('car_rentals', makeCarRentals),
    tour_bookings: rowsOf('tour_bookings', (world, count) => makeTourBookings(world, departures, count)),
  }
  const booked = (...entities: (keyof typeof bookings)[]): Booked[] =>
    entities.flatMap((entity) => bookings[entity].map((row) => ({ entity, row })))
  const operated = booked('hotel_stays', 'cruises', 'tour_bookings')
  const billed = booked('hotel_stays', 'transfers', 'car_rentals', 'tickets')
  return {
    customers: customers.map(({ row }) => row),
    suppliers: suppliers.map(({ row }) => row),
    leads: rowsOf('leads', makeLeads),
    tour_departures: departures.map(({ row }) => row),
    ...bookings,
    operator_invoices: rowsOf('operator_invoices', (world, count) => makeOperatorInvoices(world, operated, count)),
    supplier_bills: rowsOf('supplier_bills', (world, count) => makeSupplierBills(world, billed, count)),
  }
}
