import type { Config } from './config.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { hotelStays } from './features/bookings/verticals/hotel-stays.entity.ts'
import { keepImportedNotes } from './features/customers/commands/keep-imported-notes.ts'
import { keepTravelers } from './features/customers/commands/keep-travelers.ts'
import { customers } from './features/customers/customers.entity.ts'
import { suppliers } from './features/suppliers/suppliers.entity.ts'
import type { Importable } from './imports/importable.ts'
import { importRoutes } from './imports/imports.routes.ts'
import type { Route } from './platform/http/route.ts'

/** What can be imported, with what follows from it. */
export const importables: readonly Importable[] = [
  { entity: customers, settle: keepImportedNotes },
  { entity: suppliers },
  { entity: hotelStays, settle: keepTravelers },
]
/** Import entities that are made in the application alone. */
const readOnlyEntities: readonly string[] = ['charters', 'visa_cases', 'events']

/** Every route of the API. */
export const routesOf = (config: Pick<Config, 'importLimits'>): readonly Route[] => [
  ...accountRoutes,
  ...importRoutes({ importables, readOnly: readOnlyEntities }, config.importLimits),
]
