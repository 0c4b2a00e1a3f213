import { join } from 'node:path'
import type { MailTransport } from './mail.ts'
import { outboxMail } from './outbox.ts'
import { smtpMail } from './smtp.ts'
import type { SmtpAddress } from './smtp-address.ts'

type Place = { readonly smtp: SmtpAddress | null; readonly databaseUrl: string | null; readonly dataDir: string }

/** Where mails are written as files; null where they are sent, or cannot be. */
export const outboxFolder = ({ smtp, databaseUrl, dataDir }: Place): string | null =>
  smtp === null && databaseUrl === null ? join(dataDir, 'outbox') : null

/** How mails leave: over the server, else into a folder where the cell has its own database; null for not at all. */
export function openMail(place: Place): MailTransport | null {
  if (place.smtp) return smtpMail(place.smtp)
  const outbox = outboxFolder(place)
  return outbox === null ? null : outboxMail(outbox)
}
