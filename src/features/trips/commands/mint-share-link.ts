import { randomUUIDv7 } from 'node:crypto'
import { complete } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import { auditOwn, type Operator } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { readAttributes, refuseAttributes } from '../../attributes.ts'
import { shareLinkAttributes } from '../share-link-attributes.ts'
import { findShared, insertShareLink, LINKS, type NewLink } from '../share-links.store.ts'
import { hashPassword, hashToken, hintOf, makeToken } from '../share-token.ts'

type Given = Record<string, unknown>
type Read = {
  readonly label: string | null
  readonly audience: string
  readonly supplier_id: string | null
  readonly show_prices: boolean
  readonly show_travelers: boolean
  readonly password: string | null
  readonly expires_at: string | null
}

/** What a write of a link says. The password is hashed here, which takes too long for a transaction. */
export async function readNewLink(actor: Actor, given: Given): Promise<NewLink> {
  const context = { company: homeCompany(actor), timeZone: actor.timeZone, creates: true }
  const values = readAttributes(shareLinkAttributes, given, context)
  const isForSupplier = values.audience === 'supplier'
  const read = complete(shareLinkAttributes, {
    ...values,
    show_travelers: values.show_travelers ?? !isForSupplier,
  }) as Read
  if (isForSupplier && read.supplier_id === null)
    refuseAttributes([['supplier_id', 'is required for the audience supplier']])
  if (!isForSupplier && read.supplier_id !== null)
    refuseAttributes([['supplier_id', 'goes with the audience supplier alone']])
  return {
    label: read.label,
    audience: read.audience,
    supplier: read.supplier_id,
    prices: read.show_prices,
    travelers: read.show_travelers,
    password: read.password === null ? null : await hashPassword(read.password),
    expires: read.expires_at,
  }
}

/** Makes a link to a trip. Its token is answered here and nowhere else. */
export async function mintShareLink(
  tx: AccountTx,
  trip: string,
  link: NewLink,
  by: { readonly seat: string | null; readonly operator: Operator },
): Promise<{ readonly id: string; readonly token: string }> {
  const [shared, now] = await Promise.all([tx.one(findShared, { trip, supplier: link.supplier }), tx.now])
  if (!shared) throw noSuch('trip')
  if (link.supplier !== shared.supplier) refuseAttributes([['supplier_id', 'is no supplier of the account']])
  if (link.expires !== null && link.expires <= now) refuseAttributes([['expires_at', 'is in the past']])
  if (shared.links >= LINKS) refuseAttributes([['base', `the trip has ${LINKS} links: revoke one first`]])
  const [id, token] = [randomUUIDv7(), makeToken()]
  const { label: _, password, ...told } = link
  tx.later(insertShareLink, { trip, ...link, id, hash: hashToken(token), hint: hintOf(token), seat: by.seat })
  auditOwn(tx, by.operator, {
    action: 'share_link.created',
    subjectType: 'share_link',
    subjectId: id,
    details: { trip, ...told, password_protected: password !== null },
  })
  return { id, token }
}
