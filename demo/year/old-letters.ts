import { randomUUIDv7 } from 'node:crypto'
import { readRecipients } from '../../src/features/communications/recipients.store.ts'
import { recipientValues } from '../../src/features/communications/templates/recipient-values.ts'
import { mailRenderer } from '../../src/features/communications/templates/render-mail.ts'
import { purposeOf, type TemplateKind } from '../../src/features/communications/templates/template-kinds.ts'
import { type Unsubscribing, unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import { languageOf } from '../../src/platform/page/language.ts'
import { secondsAfter } from './timeline.ts'
import { intoTable, writeRows } from './write-rows.ts'

/** A message that came due in the past. */
export type OldLetter = {
  /** The record that the message is about. */
  readonly of: string
  readonly kind: TemplateKind
  readonly customer: string
  readonly trip: string | null
  readonly at: string
  readonly values?: Readonly<Record<string, string>>
  /** Whether it came back. */
  readonly bounced?: boolean
}
/** The outcome of sending it. */
export type LetterOutcome =
  | { readonly status: 'sent'; readonly communication: string; readonly reason: null }
  | { readonly status: 'skipped'; readonly communication: null; readonly reason: 'no_address' | 'not_opted_in' }

/** Seconds until the receiving server reports an unknown recipient. */
const BOUNCED_AFTER = 40
const keep = intoTable(
  'communications',
  `id, company_id, customer_id, trip_id, direction, channel, purpose, status, subject, body_plain, body_html, to_addresses,
    thread_id, sent_at, failed_at, failure_reason, created_at, updated_at`,
)

/** Stores letters as if they had been sent in the past, and returns their ids by `of`. Nothing is sent. */
export async function keepOldLetters(
  tx: AccountTx,
  deps: Unsubscribing,
  letters: readonly OldLetter[],
): Promise<ReadonlyMap<string, LetterOutcome>> {
  const asked = letters.map(({ customer, trip }, nth) => ({ nth, customer, seat: null, trip, advertises: false }))
  const recipients = await tx.all(readRecipients, { asked: JSON.stringify(asked) })
  const write = mailRenderer([])
  const outcomes = new Map<string, LetterOutcome>()
  const messages = recipients.flatMap((recipient) => {
    const { of, kind, customer, trip, at, values, bounced = false } = letters[recipient.nth] as OldLetter
    const advertises = purposeOf(kind) === 'marketing'
    const reason = advertises && !recipient.optedIn ? 'not_opted_in' : recipient.address === null ? 'no_address' : null
    const id = randomUUIDv7()
    outcomes.set(
      of,
      reason === null
        ? { status: 'sent', communication: id, reason }
        : { status: 'skipped', communication: null, reason },
    )
    if (reason !== null) return []
    const language = languageOf(recipient.locale)
    const { subject, plain, html } = write({
      kind,
      language,
      agency: recipient.agency,
      accent: recipient.accent,
      values: { ...recipientValues(recipient, language), ...values },
      unsubscribe: advertises ? unsubscribeUrl(deps, tx.account, customer) : null,
    })
    return {
      id,
      company_id: recipient.company,
      customer_id: customer,
      trip_id: trip,
      direction: 'outbound',
      channel: 'email',
      purpose: purposeOf(kind),
      status: bounced ? 'failed' : 'sent',
      subject,
      body_plain: plain,
      body_html: html,
      to_addresses: [recipient.address],
      thread_id: id,
      sent_at: at,
      failed_at: bounced ? secondsAfter(at, BOUNCED_AFTER) : null,
      failure_reason: bounced ? 'bounced' : null,
      created_at: at,
      updated_at: at,
    }
  })
  writeRows(tx, keep, messages)
  return outcomes
}
