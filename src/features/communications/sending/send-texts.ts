import type { MessagingAddress } from '../../../platform/messaging/messaging-address.ts'
import { findTexts, type KnownText, numberOf, sendText, type TextOutcome } from '../../../platform/messaging/texts.ts'
import { plainOf } from '../clean-html.ts'
import type { FailureReason } from '../message-kinds.ts'
import { comesAgain, reasonOf, statusOf } from './failure-reasons.ts'
import { failedFor, type Outcome } from './outcome.ts'
import type { OutgoingMessage } from './read-outgoing.ts'

/** What the provider may have made of a text earlier than it was queued, by its own clock. */
const CLOCKS_DIFFER_MS = 5 * 60_000

type Needs = {
  readonly messaging: MessagingAddress | null
  /** Where clients reach the cell. */
  readonly publicUrl: string
  /** Those of these ids of the provider that other messages of the account have. */
  idsOfOthers(ids: readonly string[]): Promise<readonly string[]>
}
type Attempt = {
  readonly account: number
  readonly communication: string
  readonly message: OutgoingMessage
  readonly queued: number
  /** Whether earlier attempts may have sent some of it. */
  readonly mayBeThere: boolean
  /** Why nothing may be sent any more, and only found out what was; null where it may be. */
  readonly forbidden: FailureReason | null
}
type Refused = { readonly to: string; readonly errorCode: number | null; readonly status: number }

/**
 * Sends a message as texts, one to each of its numbers, and none twice: where an earlier attempt may have sent it, the
 * provider is asked first. As long as it does not tell, nothing is sent.
 */
export async function sendTexts(needs: Needs, attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { messaging, publicUrl } = needs
  const { account, communication, message, forbidden, mayBeThere } = attempt
  const { channel } = message
  if (channel === 'email' || messaging === null || numberOf(messaging, channel) === null)
    return failedFor('not_configured')
  const body = (message.plain ?? plainOf(message.html ?? '')).trim()
  const callback = `${publicUrl}/hooks/messaging/${account}?message=${communication}`
  const taken: KnownText[] = []
  const refused: Refused[] = []
  for (const to of message.to) {
    const text = { channel, to, body, callback }
    const found = mayBeThere ? await findEarlier(needs, messaging, text, attempt.queued, taken, signal) : null
    if (found === 'nobody tells') return { later: 'timeout', unknown: true, metadata: null }
    if (!found && forbidden) return taken.length > 0 ? endOf(taken, refused) : failedFor(forbidden)
    const outcome: TextOutcome = found ? { outcome: 'taken', ...found } : await sendText(messaging, text, signal)
    if (outcome.outcome === 'taken') taken.push(outcome)
    else if (outcome.outcome === 'refused' && !comesAgain(outcome.errorCode)) refused.push({ to, ...outcome })
    else return laterBy(outcome, mayBeThere || taken.length > 0)
  }
  return endOf(taken, refused)
}

/** The text of an earlier attempt; null where there is none. */
async function findEarlier(
  { idsOfOthers }: Needs,
  messaging: MessagingAddress,
  text: Parameters<typeof findTexts>[1],
  queued: number,
  taken: readonly KnownText[],
  signal: AbortSignal,
): Promise<KnownText | null | 'nobody tells'> {
  const found = await findTexts(messaging, text, new Date(queued - CLOCKS_DIFFER_MS), signal)
  if (found === null) return 'nobody tells'
  const others = found.length > 0 ? await idsOfOthers(found.map(({ id }) => id)) : []
  return found.find(({ id }) => !others.includes(id) && !taken.some((known) => known.id === id)) ?? null
}

/** Where a number may have it already, the next attempt has to find that out first. */
const laterBy = (outcome: Exclude<TextOutcome, { outcome: 'taken' }>, mayBeThere: boolean): Outcome => ({
  later: 'what' in outcome && outcome.what === 'connection' ? 'timeout' : 'provider_rejected',
  unknown: mayBeThere || outcome.outcome === 'unknown',
  metadata: 'errorCode' in outcome ? { error_code: outcome.errorCode } : null,
})

/** It is sent where one number has it, and how far it is, the provider says of the first. */
function endOf([first, ...others]: readonly KnownText[], refused: readonly Refused[]): Outcome {
  const [refusal] = refused
  if (first === undefined)
    return failedFor(refusal === undefined ? 'invalid_recipient' : reasonOf(refusal.errorCode), {
      error_code: refusal?.errorCode ?? null,
    })
  const status = statusOf(first.status) ?? 'sent'
  const metadata = {
    ...(first.errorCode !== null && { error_code: first.errorCode }),
    ...(others.length > 0 && { more_ids: others.map(({ id }) => id) }),
    ...(refused.length > 0 && {
      refused: refused.map(({ to, errorCode }) => ({ address: to, error_code: errorCode })),
    }),
  }
  const settled = status === 'sending' ? 'sent' : status
  const reason = settled === 'failed' ? { reason: reasonOf(first.errorCode) } : {}
  return { ended: { status: settled, ...reason, externalId: first.id, metadata } }
}
