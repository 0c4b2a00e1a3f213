import { type FormerSecretsOf, readNamingAccount, type SignedText } from '../../platform/signed-text.ts'

/** What addresses of unsubscribing are made of. */
export type Unsubscribing = {
  /** Where clients reach the cell. */
  readonly publicUrl: string
  readonly unsubscribing: SignedText
}
export const UNSUBSCRIBE_PATH = '/u'
/** The scope of a token, besides the cell. It does not expire, since mails are kept. */
const SCOPE = 'unsubscribe'

/** The one-click unsubscribe link of a customer (RFC 8058). */
export const unsubscribeUrl = (
  { publicUrl, unsubscribing }: Unsubscribing,
  account: number,
  customer: string,
): string => `${publicUrl}${UNSUBSCRIBE_PATH}/${unsubscribing.write(account, SCOPE, [String(account), customer])}`

/** The customer in a token; null if the token is invalid. */
export async function readUnsubscribe(
  unsubscribing: SignedText,
  token: string,
  formerOf: FormerSecretsOf,
): Promise<{ readonly account: number; readonly customer: string } | null> {
  const [account, customer] = (await readNamingAccount(unsubscribing, SCOPE, token, formerOf)) ?? []
  return customer === undefined ? null : { account: Number(account), customer }
}
