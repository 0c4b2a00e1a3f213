import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type Language, languageOf } from '../../../platform/page/language.ts'
import { type Recipient, readRecipients } from '../recipients.store.ts'
import type { PlaceholderValues } from '../templates/fill.ts'
import { ownTemplates } from '../templates/own-templates.store.ts'
import { recipientValues } from '../templates/recipient-values.ts'
import { type MailText, mailRenderer, type TemplateInput } from '../templates/render-mail.ts'
import { purposeOf, type TemplateKind } from '../templates/template-kinds.ts'
import { type Unsubscribing, unsubscribeUrl } from '../unsubscribe.ts'
import { type QueuedMessage, queueMessages } from './queue-messages.ts'
import { takeDailyQuota } from './take-daily-quota.ts'

/** An automated e-mail to a customer or a seat. */
export type AutomatedMessage = {
  readonly kind: TemplateKind
  readonly customer: string | null
  readonly seat: string | null
  readonly trip: string | null
  /** Values of the kind's own placeholders. Those of recipient, trip and agency are added. */
  values?(language: Language): PlaceholderValues
}
type SkipReason = 'no_address' | 'not_opted_in' | 'touched_today' | 'daily_limit_reached'
/** The message, or the reason why it is not sent. */
export type SendResult = { readonly communication: string } | { readonly skipped: SkipReason }
type PreparedMessage = AutomatedMessage & { readonly recipient: Recipient; readonly refused: SkipReason | null }

/** Locks marketing of the account, so that no customer is contacted twice at once. */
const lockMarketing = statement(
  { account: pg.integer },
  { pg_advisory_xact_lock: pg.nothing },
  `select pg_advisory_xact_lock(hashtext('touches'), $account::integer)`,
)
const isMarketing = ({ kind }: AutomatedMessage): boolean => purposeOf(kind) === 'marketing'

/**
 * Queues messages, each in a new thread, and returns their outcomes in the same order. Marketing is sent only to
 * customers who opted in, once per day and customer, with an unsubscribe link.
 */
export async function sendAutomated(
  tx: AccountTx,
  deps: Unsubscribing,
  automated: readonly AutomatedMessage[],
): Promise<readonly SendResult[]> {
  if (automated.length === 0) return []
  if (automated.some(isMarketing)) tx.later(lockMarketing, {})
  const asked = automated.map((message, nth) => {
    const { customer, seat, trip } = message
    return { nth, customer, seat, trip, advertises: isMarketing(message) }
  })
  const [recipients, own] = await Promise.all([
    tx.all(readRecipients, { asked: JSON.stringify(asked) }),
    tx.all(ownTemplates, { kinds: [...new Set(automated.map(({ kind }) => kind))] }),
  ])
  const skipReason = skipReasons()
  const prepared = recipients.map((recipient): PreparedMessage => {
    const message = automated[recipient.nth] as AutomatedMessage
    return { ...message, recipient, refused: skipReason(message, recipient) }
  })
  const wanted = prepared.filter(({ refused }) => refused === null).length
  let left = wanted > 0 ? await takeDailyQuota(tx, wanted) : 0
  const write = mailRenderer(own)
  const messages: QueuedMessage[] = []
  const results = prepared.map((one): SendResult => {
    const skipped = one.refused ?? (left === 0 ? 'daily_limit_reached' : null)
    if (skipped !== null) return { skipped }
    left -= 1
    const message = messageOf(one, write(templateInputOf(one, unsubscribe(one))))
    messages.push(message)
    return { communication: message.id }
  })
  queueMessages(tx, messages)
  return results

  function unsubscribe(one: PreparedMessage): string | null {
    const { customer } = one.recipient
    return isMarketing(one) && customer !== null ? unsubscribeUrl(deps, tx.account, customer) : null
  }
}

/** Returns for one message after the other why it is skipped; null if it is sent. */
function skipReasons(): (message: AutomatedMessage, recipient: Recipient) => SkipReason | null {
  const touched = new Set<string | null>()
  return (message, { customer, address, optedIn, touchedToday }) => {
    if (isMarketing(message) && !optedIn) return 'not_opted_in'
    if (address === null) return 'no_address'
    if (!isMarketing(message)) return null
    if (touchedToday || touched.has(customer)) return 'touched_today'
    touched.add(customer)
    return null
  }
}

function templateInputOf({ kind, recipient, values }: PreparedMessage, unsubscribe: string | null): TemplateInput {
  const language = languageOf(recipient.locale)
  const known = { ...recipientValues(recipient, language), ...values?.(language) }
  return { kind, language, agency: recipient.agency, accent: recipient.accent, values: known, unsubscribe }
}

const messageOf = ({ kind, recipient }: PreparedMessage, letter: MailText): QueuedMessage => ({
  id: randomUUIDv7(),
  channel: 'email',
  purpose: purposeOf(kind),
  company: recipient.company,
  customer: recipient.customer,
  trip: recipient.trip,
  ...letter,
  from: null,
  replyTo: null,
  to: [recipient.address as string],
  cc: [],
  thread: null,
  inReplyTo: null,
  externalId: null,
  author: null,
})
