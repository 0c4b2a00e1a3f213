import { apiDocument } from '../../src/api-document.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { routeTools } from '../../src/deps.ts'
import { routesOf } from '../../src/registry.ts'

const config = readConfig({})
const listRoutes = (of: Config) => routesOf({ config: of, ...routeTools(of, 'test') })

/** Every route, as a cell with nothing configured has them. */
export const routes = listRoutes(config)

export const documentOf = (of: Config = config): object => apiDocument(listRoutes(of), of.publicUrl)
