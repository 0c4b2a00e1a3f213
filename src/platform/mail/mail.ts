import type { Readable } from 'node:stream'
import type { MailAddress } from './mail-address.ts'

/** A complete mail. Retries send the same mail: its Message-ID and date are given, not generated. */
export type Mail = {
  /** With its angle brackets. */
  readonly messageId: string
  readonly date: Date
  /** The address for delivery reports. */
  readonly sender: string
  readonly from: MailAddress
  readonly replyTo: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string
  readonly plain: string | null
  readonly html: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  /** Further ones. */
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly Attachment[]
}
export type Attachment = { readonly name: string; readonly type: string; open(): Promise<Readable> }

/** The outcome of an attempt to send a mail, with the reply of the server for people to read. */
export type MailOutcome =
  /** Accepted, perhaps not for all recipients. */
  | { readonly outcome: 'sent'; readonly response: string | null; readonly refused: readonly RefusedAddress[] }
  /** Not taken, and the same mail would not be. */
  | { readonly outcome: 'refused'; readonly what: 'recipients' | 'login' | 'mail'; readonly response: string | null }
  /** Not sent now: the server said so, or its answer is unknown. */
  | { readonly outcome: 'later'; readonly what: 'connection' | 'answer'; readonly response: string | null }
export type RefusedAddress = { readonly address: string; readonly response: string }

/** Hands mails on. It never throws. */
export type MailTransport = { send(mail: Mail, signal: AbortSignal): Promise<MailOutcome> }
