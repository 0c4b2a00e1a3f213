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
    show_travelers: values.show_travelers ?? (!isForSupplier && actor.policies.has('view_personal_data')),
  }) as Read
  refuseAttributes(reasonsAgainst(read, given, actor))
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

/** Why a link cannot be so. It shows nothing that its maker does not see: links are no way around a mask. */
function reasonsAgainst(read: Read, given: Given, { policies }: Actor): [string, string][] {
  const { audience, supplier_id, password, show_prices, show_travelers } = read
  const isForSupplier = audience === 'supplier'
  const reasons: [boolean, string, string][] = [
    [isForSupplier && supplier_id === null, 'supplier_id', 'is required for the audience supplier'],
    [!isForSupplier && supplier_id !== null, 'supplier_id', 'goes with the audience supplier alone'],
    [typeof given.password === 'string' && password === null, 'password', 'is blank: leave it out, or send null'],
    [show_prices && !policies.has('view_money'), 'show_prices', 'needs a role that sees money'],
    [show_travelers && !policies.has('view_personal_data'), 'show_travelers', 'needs a role that sees personal data'],
  ]
  return reasons.flatMap(([holds, attribute, reason]) => (holds ? [[attribute, reason]] : []))
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
