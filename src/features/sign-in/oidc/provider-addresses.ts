/** Where the routes of a provider are, below the public address of the cell. */
const BELOW = '/app/v1/sign_in/oidc'

/**
 * Where a provider sends browsers back. Each has an address of its own: an answer of one issuer that arrives at the
 * address of another is refused before its code is sent anywhere (mix-up, RFC 9700, section 4.4).
 */
export const callbackAddress = (publicUrl: string, provider: string): string =>
  `${publicUrl}${BELOW}/${provider}/callback`

/** The same as SQL over a provider `p`; `$publicUrl` is a parameter. */
export const CALLBACK_SQL = `$publicUrl::text || '${BELOW}/' || p.id || '/callback'`
