import type { Config } from './config.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { carRentals } from './features/bookings/verticals/car-rentals.entity.ts'
import { charters } from './features/bookings/verticals/charters.entity.ts'
import { cruises } from './features/bookings/verticals/cruises.entity.ts'
import { events } from './features/bookings/verticals/events.entity.ts'
import { hotelStays } from './features/bookings/verticals/hotel-stays.entity.ts'
import { tickets } from './features/bookings/verticals/tickets.entity.ts'
import { tourBookings } from './features/bookings/verticals/tour-bookings.entity.ts'
import { tourDepartures } from './features/bookings/verticals/tour-departures.entity.ts'
import { transfers } from './features/bookings/verticals/transfers.entity.ts'
import { visaCases } from './features/bookings/verticals/visa-cases.entity.ts'
import { customers } from './features/customers/customers.entity.ts'
import { customerRoutes } from './features/customers/customers.routes.ts'
import { noteRoutes } from './features/customers/notes.routes.ts'
import { operatorInvoices } from './features/documents/operator-invoices.entity.ts'
import { supplierBills } from './features/documents/supplier-bills.entity.ts'
import { leads } from './features/leads/leads.entity.ts'
import { leadRoutes } from './features/leads/leads.routes.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import { suppliers } from './features/suppliers/suppliers.entity.ts'
import { taskRoutes } from './features/tasks/tasks.routes.ts'
import { uploadRoutes } from './features/uploads/uploads.routes.ts'
import type { Importable } from './imports/importable.ts'
import { importRoutes } from './imports/imports.routes.ts'
import type { Route } from './platform/http/route.ts'

/** What can be imported, in an order in which every record finds those that it names. */
export const importables: readonly Importable[] = [
  customers,
  suppliers,
  leads,
  tourDepartures,
  tickets,
  hotelStays,
  transfers,
  cruises,
  carRentals,
  tourBookings,
  operatorInvoices,
  supplierBills,
]
/** Entities that are made in the application alone: read through the feed, never imported. */
export const readOnlyEntities: readonly Importable[] = [charters, visaCases, events]

/** Every route of the API. */
export const routesOf = (config: Pick<Config, 'importLimits'>): readonly Route[] => [
  ...accountRoutes,
  ...customerRoutes,
  ...noteRoutes,
  ...uploadRoutes,
  ...leadRoutes,
  ...taskRoutes,
  ...notificationRoutes,
  ...importRoutes({ importables, readOnly: readOnlyEntities }, config.importLimits),
]
