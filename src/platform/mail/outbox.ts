import { createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MailTransport } from './mail.ts'
import { mimeOf } from './mime.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Mails as files in a folder, for a cell without a server to hand them to. Each has its name only when it is whole. */
export function outboxMail(folder: string): MailTransport {
  return {
    async send(mail, signal) {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      const path = join(folder, `${nameOf(mail.messageId)}.eml`)
      try {
        await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
        const bytes = new MailComposer({ ...mimeOf(mail), newline: 'win' }).compile().createReadStream()
        await pipeline(bytes, createWriteStream(`${path}.part`, { mode: FILE_MODE, flush: true }), { signal })
        await rename(`${path}.part`, path)
        return { outcome: 'sent', response: null, refused: [] }
      } catch (error) {
        return { outcome: 'later', what: 'connection', response: (error as Error).message }
      }
    },
  }
}

/** The local part of a Message-ID, reduced to characters of a file name. */
const nameOf = (messageId: string): string => (/^<([^@]*)@/.exec(messageId)?.[1] ?? messageId).replace(/[^\w-]/g, '_')
