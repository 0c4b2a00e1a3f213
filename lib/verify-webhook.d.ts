export type VerifyOptions = {
  /** How many seconds the signature may be old, or ahead of the clock. 300 when unset. */
  readonly toleranceSeconds?: number
  /** The time in UNIX seconds. The clock's when unset. */
  readonly now?: number
}

/**
 * Whether a webhook comes from whoever knows the subscription's secret, unchanged, and was signed just now.
 *
 * @param rawBody The body as it arrived. Parsed and written again it would be another one.
 * @param header The value of `X-Service-Signature`; a missing one verifies nothing.
 * @param secret The subscription's `signing_secret`, `whsec_…`.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  secret: string,
  options?: VerifyOptions,
): boolean
