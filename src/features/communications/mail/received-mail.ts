/** How much is read of a mail that is too much to be read. */
export const BEGINNING_BYTES = 64 * 1024

/** The content of a mail, from any sender: complete characters, no control characters, limited in length. */
export type ReceivedMail = {
  /** Its Message-ID, or one derived from its bytes. */
  readonly messageId: string
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly from: string | null
  readonly replyTo: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string | null
  readonly plain: string | null
  /** As received: not sanitised. */
  readonly html: string | null
  readonly sentAt: string
  /** Whether a machine wrote it: an out-of-office, a receipt. */
  readonly isAutomatic: boolean
  readonly files: readonly MailFile[]
  readonly report: DeliveryReport | null
  /** Why only its beginning was read; null where all of it was. */
  readonly cut: 'too_large' | 'unreadable' | null
}

/** A file that came with a mail; the name is its sender's word. */
export type MailFile = { readonly name: string | null; readonly bytes: Uint8Array; readonly isInline: boolean }

/** A delivery report of a mail server (RFC 3464). */
export type DeliveryReport = {
  /** The Message-IDs that the message may have, the likeliest first. */
  readonly about: readonly string[]
  readonly recipients: readonly ReportedRecipient[]
}
export type ReportedRecipient = {
  readonly address: string | null
  /** `failed`, `delayed`, `delivered`, `relayed`, `expanded`. */
  readonly action: string
  /** As `5.1.1` (RFC 3463). */
  readonly status: string | null
}
