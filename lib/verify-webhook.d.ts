export type VerifyOptions = {
  /** How many seconds the signature may be old, or ahead of the clock. 300 when unset. */
  readonly toleranceSeconds?: number
  /** The time in UNIX seconds. The clock's when unset. */
  readonly now?: number
}

/**
 * Whether a webhook was signed with the subscription's secret, is unchanged, and was signed recently.
 *
 * @param rawBody The body as received. Parsing and serialising it again changes the bytes.
 * @param header The value of `X-Service-Signature`. Verification fails if it is missing.
 * @param secret The subscription's `signing_secret`, `whsec_…`.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  secret: string,
  options?: VerifyOptions,
): boolean
