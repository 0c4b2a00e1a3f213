import { createHmac, hash } from 'node:crypto'

/** What deliveries are signed with: the 64 characters themselves, not the bytes that they could be decoded to. */
export const signingKeyOf = (secret: string): string => hash('sha256', secret)

/**
 * The value of X-Service-Signature: `t`, in UNIX seconds, and a `v1` for each key. Receivers that keep one pair keep
 * the last, so the oldest key comes last.
 */
export function signatureHeader(body: string | Buffer, keys: readonly string[], seconds: number): string {
  const sign = (key: string) => createHmac('sha256', key).update(`${seconds}.`).update(body).digest('hex')
  return [`t=${seconds}`, ...keys.map((key) => `v1=${sign(key)}`)].join(',')
}
