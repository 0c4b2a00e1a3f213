import { Readable } from 'node:stream'
import type { Attachment, Mail } from './mail.ts'

/** A mail in the words of nodemailer. */
export const mimeOf = (mail: Mail) => ({
  messageId: mail.messageId,
  date: mail.date,
  envelope: { from: mail.sender, to: [...mail.to, ...mail.cc] },
  from: mail.from.name === null ? mail.from.address : { name: mail.from.name, address: mail.from.address },
  ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
  to: [...mail.to],
  cc: [...mail.cc],
  subject: mail.subject,
  ...(mail.plain !== null && { text: mail.plain }),
  ...(mail.html !== null && { html: mail.html }),
  ...(mail.inReplyTo !== null && { inReplyTo: mail.inReplyTo }),
  references: [...mail.references],
  headers: { ...mail.headers },
  attachments: mail.attachments.map((attachment) => ({
    filename: attachment.name,
    contentType: attachment.type,
    content: lazily(attachment),
  })),
  baseBoundary: mail.messageId.replace(/[^\w.-]/g, ''),
  // All content of a mail is given; nothing is fetched from addresses in it.
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** A file is opened when its turn comes, so that none stays open while waiting for a server. */
function lazily({ open }: Attachment): Readable {
  async function* bytes() {
    yield* await open()
  }
  return Readable.from(bytes(), { objectMode: false })
}
