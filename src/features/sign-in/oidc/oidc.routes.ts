import type { Route } from '../../../platform/http/route.ts'
import type { DestinationRules } from '../../../platform/net/destination.ts'
import type { Seal } from '../../../platform/seal.ts'
import { browserRoutes } from './browser-routes.ts'
import { identityRoutes } from './identity-routes.ts'
import { issuers } from './issuer.ts'
import { providerRoutes } from './provider-routes.ts'

type Tools = { readonly destinations: DestinationRules; readonly providerSecrets: Seal }

/** Everything about signing in by OpenID Connect. They share what issuers publish. */
export function oidcRoutes({ destinations, providerSecrets }: Tools): readonly Route[] {
  const own = { providerSecrets, issuers: issuers(destinations, () => performance.now()) }
  return [...browserRoutes(own), ...identityRoutes(own), ...providerRoutes(own)]
}
