import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { mailSeats } from '../../communications/commands/queue-messages.ts'
import type { KeptFile } from '../../uploads/commands/keep-file.ts'

type ReportMail = {
  readonly name: string
  readonly agency: string
  /** The day that it was due, on the account's clock. */
  readonly day: string
  readonly rows: number
  readonly file: KeptFile
  readonly recipients: readonly string[]
  readonly locale: string
}
type Letter = Omit<ReportMail, 'recipients' | 'locale'>

const WORDS = {
  en: ({ name, agency, day, rows, file }: Letter) =>
    `${agency} sends you the report “${name}” of ${day}.\nIt is attached: ${file.name}, ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
  tr: ({ name, agency, day, rows, file }: Letter) =>
    `${agency} size ${day} tarihli “${name}” raporunu gönderiyor.\nEkte: ${file.name}, ${rows} satır.`,
}

/** Has a report sent after the commit: a mail for each recipient, who does not see the others. */
export function mailReport(tx: AccountTx, { recipients, locale, ...letter }: ReportMail): void {
  const plain = WORDS[locale.startsWith('tr') ? 'tr' : 'en'](letter)
  const subject = `${letter.name}, ${letter.day}`.replace(/\s+/g, ' ')
  mailSeats(
    tx,
    recipients.map((to) => ({ to, subject, plain, html: null, file: letter.file })),
  )
}
