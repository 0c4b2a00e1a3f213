import type { MessagingAddress } from '../../../platform/messaging/messaging-address.ts'
import { findTexts, type KnownText, numberOf, sendText, type TextOutcome } from '../../../platform/messaging/texts.ts'
import { plainOf } from '../clean-html.ts'
import type { FailureReason } from '../message-kinds.ts'
import { type AttemptOutcome, failedFor } from './attempt-outcome.ts'
import { failureReasonOf, isTemporaryError, textStatusOf } from './failure-reasons.ts'
import type { OutgoingMessage } from './outgoing.store.ts'

/** Tolerance for texts that seem older than the queued message, since the provider's clock may differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000

type Needs = {
  readonly messaging: MessagingAddress | null
  /** Where clients reach the cell. */
  readonly publicUrl: string
  /** Those of these ids of the provider that other messages have. */
  idsOfOthers(ids: readonly string[]): Promise<readonly string[]>
}
type Attempt = {
  readonly account: number
  readonly communication: string
  readonly message: OutgoingMessage
  readonly queued: number
  /** Whether an earlier attempt may have sent it. */
  readonly mayBeThere: boolean
  /**
   * Why nothing may be sent any more, so that only the result of the earlier attempt is looked up; null if it may be
   * sent.
   */
  readonly forbidden: FailureReason | null
}

/**
 * Sends a message as a text to its one number, and never twice: where an earlier attempt may have sent it, the provider is
 * asked first. Until it responds, nothing is sent.
 */
export async function sendByText(needs: Needs, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const { messaging, publicUrl } = needs
  const { account, communication, message, forbidden, mayBeThere } = attempt
  const { channel } = message
  if (channel === 'email' || messaging === null || numberOf(messaging, channel) === null)
    return failedFor('not_configured')
  const [to, ...others] = message.to
  if (to === undefined || others.length > 0) return failedFor('invalid_recipient')
  const body = (message.plain ?? plainOf(message.html ?? '')).trim()
  const callback = `${publicUrl}/hooks/messaging/${account}?message=${communication}`
  const text = { channel, to, body, callback }
  const found = mayBeThere ? await findEarlier(needs, messaging, text, attempt.queued, signal) : null
  if (found === 'unknown') return { later: 'timeout', unknown: true, metadata: null }
  if (found) return endOf(found)
  return forbidden ? failedFor(forbidden) : outcomeOf(await sendText(messaging, text, signal), mayBeThere)
}

/** The text of an earlier attempt; null if there is none. */
async function findEarlier(
  { idsOfOthers }: Needs,
  messaging: MessagingAddress,
  text: Parameters<typeof findTexts>[1],
  queued: number,
  signal: AbortSignal,
): Promise<KnownText | null | 'unknown'> {
  const found = await findTexts(messaging, text, new Date(queued - CLOCKS_DIFFER_MS), signal)
  if (found === null) return 'unknown'
  const others = found.length > 0 ? await idsOfOthers(found.map(({ id }) => id)) : []
  return found.find(({ id }) => !others.includes(id)) ?? null
}

/** If the provider may already have it, the next attempt must look that up first. */
function outcomeOf(tried: TextOutcome, mayBeThere: boolean): AttemptOutcome {
  if (tried.outcome === 'taken') return endOf(tried)
  const unknown = mayBeThere || tried.outcome === 'unknown'
  if (tried.outcome !== 'refused')
    return { later: tried.what === 'connection' ? 'timeout' : 'provider_rejected', unknown, metadata: null }
  const metadata = { error_code: tried.errorCode }
  return isTemporaryError(tried.errorCode)
    ? { later: 'provider_rejected', unknown, metadata }
    : failedFor(failureReasonOf(tried.errorCode), metadata)
}

/** The provider has it, and reports its status. */
function endOf({ id: externalId, status: word, errorCode }: KnownText): AttemptOutcome {
  const metadata = errorCode === null ? null : { error_code: errorCode }
  const known = textStatusOf(word) ?? 'sent'
  const status = known === 'sending' ? 'sent' : known
  const reason = status === 'failed' ? { reason: failureReasonOf(errorCode) } : {}
  return { ended: { status, ...reason, externalId, metadata } }
}
