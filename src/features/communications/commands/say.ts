import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { type Language, languageOf } from '../../../platform/page/language.ts'
import { type Recipient, readRecipients } from '../recipients.store.ts'
import type { Values } from '../templates/fill.ts'
import { type Asked, type Letter, writerOf } from '../templates/letters.ts'
import { ownTemplates } from '../templates/own-templates.store.ts'
import { recipientValues } from '../templates/recipient-values.ts'
import { purposeOf, type TemplateKind } from '../templates/template-kinds.ts'
import { type Unsubscribing, unsubscribeUrl } from '../unsubscribe.ts'
import { type Outgoing, queueMessages } from './queue-messages.ts'
import { takeFromDay } from './take-from-day.ts'

/** Something that the program says by itself, by e-mail, to a customer or to a seat. */
export type Saying = {
  readonly kind: TemplateKind
  readonly customer: string | null
  readonly seat: string | null
  readonly trip: string | null
  /** What the kind's own placeholders stand for. Those of the recipient, the trip and the agency are known. */
  values?(language: Language): Values
}
type Skipped = 'no_address' | 'not_opted_in' | 'touched_today' | 'daily_limit_reached'
/** The message, or why there is none. */
export type Said = { readonly communication: string } | { readonly skipped: Skipped }
type Told = Saying & { readonly recipient: Recipient; readonly refused: Skipped | null }

/** Who advertises does so alone in the account, so that nobody is touched by two at once. */
const holdTouches = statement(
  { account: pg.integer },
  { pg_advisory_xact_lock: pg.nothing },
  `select pg_advisory_xact_lock(hashtext('touches'), $account::integer)`,
)
const advertises = ({ kind }: Saying): boolean => purposeOf(kind) === 'marketing'

/**
 * Queues what is to be said, as communications with a thread of their own, and answers in the same order what became of
 * each. Marketing goes to those alone who opted in, once a day and customer, and says how to leave.
 */
export async function say(tx: AccountTx, deps: Unsubscribing, sayings: readonly Saying[]): Promise<readonly Said[]> {
  if (sayings.length === 0) return []
  if (sayings.some(advertises)) tx.later(holdTouches, {})
  const asked = sayings.map((saying, nth) => {
    const { customer, seat, trip } = saying
    return { nth, customer, seat, trip, advertises: advertises(saying) }
  })
  const [recipients, own] = await Promise.all([
    tx.all(readRecipients, { asked: JSON.stringify(asked) }),
    tx.all(ownTemplates, { kinds: [...new Set(sayings.map(({ kind }) => kind))] }),
  ])
  const refusal = refusals()
  const told = recipients.map((recipient): Told => {
    const saying = sayings[recipient.nth] as Saying
    return { ...saying, recipient, refused: refusal(saying, recipient) }
  })
  const wanted = told.filter(({ refused }) => refused === null).length
  let left = wanted > 0 ? await takeFromDay(tx, wanted) : 0
  const write = writerOf(own)
  const messages: Outgoing[] = []
  const said = told.map((one): Said => {
    const skipped = one.refused ?? (left === 0 ? 'daily_limit_reached' : null)
    if (skipped !== null) return { skipped }
    left -= 1
    const message = messageOf(one, write(letterOf(one, unsubscribe(one))))
    messages.push(message)
    return { communication: message.id }
  })
  queueMessages(tx, messages)
  return said

  function unsubscribe(one: Told): string | null {
    const { customer } = one.recipient
    return advertises(one) && customer !== null ? unsubscribeUrl(deps, tx.account, customer) : null
  }
}

/** Says of one after the other why it is not said; null where nothing stands in the way. */
function refusals(): (saying: Saying, recipient: Recipient) => Skipped | null {
  const touched = new Set<string | null>()
  return (saying, { customer, address, optedIn, touchedToday }) => {
    if (advertises(saying) && !optedIn) return 'not_opted_in'
    if (address === null) return 'no_address'
    if (!advertises(saying)) return null
    if (touchedToday || touched.has(customer)) return 'touched_today'
    touched.add(customer)
    return null
  }
}

function letterOf({ kind, recipient, values }: Told, unsubscribe: string | null): Asked {
  const language = languageOf(recipient.locale)
  const known = { ...recipientValues(recipient, language), ...values?.(language) }
  return { kind, language, agency: recipient.agency, accent: recipient.accent, values: known, unsubscribe }
}

const messageOf = ({ kind, recipient }: Told, letter: Letter): Outgoing => ({
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
