/** The part of an OpenID Connect server that tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Context = {
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }
  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: readonly object[]
        jwks: { keys: readonly object[] }
        cookies: { keys: readonly string[] }
        features: { devInteractions: { enabled: boolean } }
        interactions: { url(context: Context, interaction: { uid: string }): string }
        loadExistingGrant(context: Context): Promise<Grant>
        findAccount(context: Context, id: string): object
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
