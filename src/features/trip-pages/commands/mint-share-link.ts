import { randomUUIDv7 } from 'node:crypto'
import { complete } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { type Reason, Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import { shareLinkAttributes } from '../share-link-attributes.ts'
import { findShared, insertShareLink, LINKS, type NewLink } from '../share-links.store.ts'
import { shareLink } from '../share-links.view.ts'
import { hashPassword, hashShareToken, hintOf, makeShareToken } from '../share-token.ts'

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

/** A parsed link, and its errors so far. */
export type ReadLink = { readonly link: NewLink; readonly reasons: Reasons }

/** The attributes of a new link. The password is hashed here, which takes too long inside a transaction. */
export async function readNewLink(actor: Actor, given: Given): Promise<ReadLink> {
  const reasons = new Reasons()
  const reading = { company: homeCompany(actor), timeZone: actor.timeZone, creates: true, shows: shareLink, reasons }
  const values = readAttributes(shareLinkAttributes, given, reading)
  const isForSupplier = values.audience === 'supplier'
  const read = complete(shareLinkAttributes, {
    ...values,
    show_travelers: values.show_travelers ?? (!isForSupplier && actor.policies.has('view_personal_data')),
  }) as Read
  reasons.add(...reasonsAgainst(read, given, actor).filter(([at]) => !reasons.has('audience', at)))
  const link = {
    label: read.label,
    audience: read.audience,
    supplier: read.supplier_id,
    prices: read.show_prices,
    travelers: read.show_travelers,
    password: read.password === null || !reasons.isEmpty ? null : await hashPassword(read.password),
    expires: read.expires_at,
  }
  return { link, reasons }
}

/** Why a link cannot be created so. It never shows what its author may not see. */
function reasonsAgainst(read: Read, given: Given, { policies }: Actor): Reason[] {
  const { audience, supplier_id, password, show_prices, show_travelers } = read
  const isForSupplier = audience === 'supplier'
  const reasons: [boolean, string, string][] = [
    [
      isForSupplier && supplier_id === null,
      'supplier_id',
      'A supplier is required for the audience supplier. Send supplier_id.',
    ],
    [
      !isForSupplier && supplier_id !== null,
      'supplier_id',
      'This is only allowed with the audience supplier. Leave it out.',
    ],
    [typeof given.password === 'string' && password === null, 'password', 'This is blank. Leave it out, or send null.'],
    [show_prices && !policies.has('view_money'), 'show_prices', 'Your role does not see money.'],
    [show_travelers && !policies.has('view_personal_data'), 'show_travelers', 'Your role does not see personal data.'],
  ]
  return reasons.flatMap(([holds, attribute, reason]) => (holds ? [[attribute, reason]] : []))
}

/** Makes a link to a trip. Its token is answered here and nowhere else. */
export async function mintShareLink(
  tx: AccountTx,
  trip: string,
  link: NewLink,
  seat: string | null,
  reasons = new Reasons(),
): Promise<{ readonly id: string; readonly token: string }> {
  const [shared, now] = await Promise.all([tx.one(findShared, { trip, supplier: link.supplier }), tx.now])
  if (!shared) throw noSuch('trip')
  if (link.supplier !== shared.supplier && !reasons.has('supplier_id'))
    reasons.add(['supplier_id', 'No supplier with this id exists in this account.'])
  if (link.expires !== null && link.expires <= now) reasons.add(['expires_at', 'This is in the past.'])
  if (shared.links >= LINKS) reasons.add(['base', `A trip has at most ${LINKS} links. Revoke one first.`])
  reasons.refuse()
  const [id, token] = [randomUUIDv7(), makeShareToken()]
  const { label: _, password, ...details } = link
  tx.later(insertShareLink, { trip, ...link, id, hash: hashShareToken(token), hint: hintOf(token), seat })
  auditOwn(tx, {
    action: 'share_link.created',
    subjectType: 'share_link',
    subjectId: id,
    details: { trip, ...details, password_protected: password !== null },
  })
  return { id, token }
}
