import type { Database } from '../../../platform/db/database.ts'
import type { MessagingAddress } from '../../../platform/messaging/messaging-address.ts'
import type { Seal } from '../../../platform/seal.ts'
import { openedMail } from '../commands/queue-messages.ts'
import type { FailureReason } from '../message-kinds.ts'
import { type AttemptOutcome, failedFor } from './attempt-outcome.ts'
import { mailToSeat } from './mail-of.ts'
import { type OutgoingMessage, readOutgoing, readSender } from './outgoing.store.ts'
import { sendByText } from './send-by-text.ts'
import { type MailNeeds, outcomeOf, sendMail } from './send-mail.ts'
import { idsOfOthers, SEND_ATTEMPTS, type Send } from './sends.store.ts'

export type SendingNeeds = MailNeeds & {
  readonly db: Database
  /** Sealed the texts of mails that have a link that signs in. */
  readonly mailTexts: Seal
  readonly config: { readonly messaging: MessagingAddress | null }
}

/** Sends a claimed message once, unless it must no longer be sent. */
export async function attemptSend(needs: SendingNeeds, send: Send, over: AbortSignal): Promise<AttemptOutcome> {
  const { db, publicUrl, config } = needs
  const { account, communication, unknown, queued } = send
  if (communication === null) return attemptSeatMail(needs, send, over)
  const message = await db.reader(account).one(readOutgoing, { id: communication })
  if (!message) return { ended: { status: 'sending' } } // a callback has already finished it
  const forbidden = whyNot(message, send)
  if (message.channel === 'email') return forbidden ? failedFor(forbidden) : sendMail(needs, account, message, over)
  const others = async (ids: readonly string[]) =>
    (await db.askSystem('check that a text is not one of another message', idsOfOthers, { communication, ids })).map(
      ({ id }) => id,
    )
  const provider = { messaging: config.messaging, publicUrl, idsOfOthers: others }
  return sendByText(provider, { account, communication, message, queued, mayBeThere: unknown, forbidden }, over)
}

/** Why a message must not be sent; null where it may be. */
function whyNot({ refused }: OutgoingMessage, { attempts }: Send): FailureReason | null {
  if (refused) return refused === 'unsubscribed' ? 'unsubscribed' : 'not_configured'
  return attempts > SEND_ATTEMPTS ? 'timeout' : null // the last attempt never returned
}

async function attemptSeatMail(
  { db, mail, config, files, mailTexts }: SendingNeeds,
  { account, id, seatMail, sealedText, attempts, queued }: Send,
  over: AbortSignal,
): Promise<AttemptOutcome> {
  const sender = await db.reader(account).one(readSender, {})
  if (mail === null || seatMail === null || !sender || sender.closed) return failedFor('not_configured')
  if (attempts > SEND_ATTEMPTS) return failedFor('timeout')
  const opened = openedMail(seatMail, sealedText, mailTexts)
  if (!opened) return failedFor('not_configured')
  const { agency } = sender
  const whole = mailToSeat(opened, { id, written: queued, agency, account, files, cell: config.mailFrom })
  return outcomeOf(whole, await mail.send(whole, over))
}
