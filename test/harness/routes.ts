import { apiDocument, appDocument } from '../../src/api-document.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { routeTools } from '../../src/deps.ts'
import { appRoutesOf, routesOf } from '../../src/registry.ts'

const config = readConfig({})
const listRoutes = (of: Config) => routesOf({ config: of, ...routeTools(of, 'test') })

/** Every route, as a cell with nothing configured has them. */
export const routes = listRoutes(config)

/** Those of the application API. */
export const appRoutes = appRoutesOf({ config, ...routeTools(config, 'test') })

export const appDocumentOf = (of: Config = config): object =>
  appDocument(appRoutesOf({ config: of, ...routeTools(of, 'test') }), of.publicUrl)
export const documentOf = (of: Config = config): object => apiDocument(listRoutes(of), of.publicUrl)
