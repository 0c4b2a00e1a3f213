import { networkOf } from '../../../platform/access/source-address.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { listPlaces } from '../sessions.store.ts'

/** Where somebody signs in from. */
export type SignInPlace = { readonly address: string; readonly userAgent: string | null }
type Known = {
  /** The seat has never been signed in to. */
  readonly isFirst: boolean
  readonly network: boolean
  /** With this browser, from this network. */
  readonly both: boolean
}

/** Whether the person of a seat has signed in from a place in the last 90 days. */
export async function isKnownPlace(tx: AccountTx, seat: string, { address, userAgent }: SignInPlace): Promise<Known> {
  const places = await tx.all(listPlaces, { seat })
  const network = networkOf(address)
  const near = places.filter(({ began_ip }) => networkOf(began_ip) === network)
  return {
    isFirst: places.length === 0,
    network: near.length > 0,
    both: near.some((known) => known.user_agent === userAgent),
  }
}
