import { randomUUIDv7 } from 'node:crypto'
import { complete, type Fields, type Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { type Destination, type DestinationRules, findDestination } from '../../../platform/net/destination.ts'
import type { Failure } from '../../../platform/net/failure.ts'
import type { Seal } from '../../../platform/seal.ts'
import { readAttributes, refuseAttributes } from '../../../records/attributes.ts'
import { makeSigningSecret } from '../signing-secret.ts'
import { changeableAttributes, webhookAttributes } from '../webhook-attributes.ts'
import { WEBHOOK_QUEUE } from '../webhook-queue.ts'
import { insertWebhook, lockWebhook, SUBSCRIPTIONS, updateWebhook } from '../webhooks.store.ts'
import { webhookView } from '../webhooks.view.ts'

/** What a write gives, and where its URL leads, which takes too long to be found in a transaction. */
export type ReadWebhook = {
  readonly values: Values
  readonly destination: Destination | Failure | null
  readonly reasons: Reasons
}
/** The same for a subscription that is to be made. */
export const readNewWebhook = (actor: Actor, given: Values, rules: DestinationRules): Promise<ReadWebhook> =>
  read(webhookAttributes, actor, given, rules, true)
export const readChange = (actor: Actor, given: Values, rules: DestinationRules): Promise<ReadWebhook> =>
  read(changeableAttributes, actor, given, rules, false)

async function read(
  fields: Fields,
  actor: Actor,
  given: Values,
  rules: DestinationRules,
  creates: boolean,
): Promise<ReadWebhook> {
  const reasons = new Reasons()
  const reading = { company: homeCompany(actor), timeZone: actor.timeZone, creates, shows: webhookView, reasons }
  const values = readAttributes(fields, given, reading)
  const { url } = values
  return { values, destination: typeof url === 'string' ? await findDestination(url, rules) : null, reasons }
}

/** Subscribes with the role's view of the records. The secret is answered here and nowhere else. */
export async function createWebhook(
  tx: AccountTx,
  { values, destination, reasons }: ReadWebhook,
  { role, seal }: { readonly role: string; readonly seal: Seal },
): Promise<{ readonly id: string; readonly record: Values; readonly secret: string }> {
  refuseDestination(destination, reasons)
  reasons.refuse()
  const record = complete(webhookAttributes, values)
  const { secret, sealedKey } = makeSigningSecret(seal)
  const id = randomUUIDv7()
  takeChangeNumber(tx) // Running changes do not know the new subscription: after the response, it receives every later change.
  const made = await tx.one(insertWebhook, { id, role, key: sealedKey, values: JSON.stringify(record) })
  if (!made) refuseAttributes([['base', `An account has at most ${SUBSCRIPTIONS} subscriptions. Delete one first.`]])
  auditOwn(tx, { action: 'webhook.created', subjectType: 'webhook', subjectId: id, details: auditDetails(record) })
  return { id, record, secret }
}

/** Updates the given attributes; false if the subscription does not exist. */
export async function changeWebhook(
  tx: AccountTx,
  actor: Actor,
  id: string,
  { values, destination, reasons }: ReadWebhook,
): Promise<boolean> {
  takeChangeNumber(tx) // as a new one does
  const stored: (Values & { sees_all: boolean }) | undefined = await tx.one(lockWebhook(actor.policies), { id })
  if (!stored) return false
  const record = complete(changeableAttributes, { ...stored, ...values })
  if (record.url !== stored.url) refuseDestination(destination, reasons)
  reasons.refuse()
  if (record.url !== stored.url && !stored.sees_all) throw seesLess()
  const revives = values.active === true
  const former = complete(changeableAttributes, stored)
  if (!revives && JSON.stringify(record) === JSON.stringify(former)) return true
  tx.later(updateWebhook, { id, values: JSON.stringify(record), revives })
  const [before, after] = [auditDetails(former), auditDetails(record)]
  const details = record.url === stored.url ? {} : { url: 'changed' }
  auditOwn(tx, { action: 'webhook.changed', subjectType: 'webhook', subjectId: id, details, before, after })
  if (revives) tx.wake(WEBHOOK_QUEUE) // what waited while it was inactive
  return true
}

function refuseDestination(destination: Destination | Failure | null, reasons: Reasons): void {
  if (destination && 'error' in destination) reasons.add(['url', destination.message])
}

/** The content is masked for another role, so this one may not change the destination. */
const seesLess = () =>
  new ApiError(
    'forbidden',
    'This webhook sends data that your role does not see, so its url cannot be changed with this key. Create a webhook with your own key.',
  )

/** Only the host of the URL: paths and queries often contain secrets of the receiver. */
const auditDetails = ({ url, ...rest }: Values): Values => ({ host: new URL(String(url)).host, ...rest })
