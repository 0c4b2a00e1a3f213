import { ALL_POLICIES } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Files } from '../../../platform/files/files.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { readMailAddress } from '../../../platform/mail/mail-address.ts'
import { claimUploads } from '../../uploads/commands/claim-uploads.ts'
import { keepMailFiles, type LeftOut } from '../mail/keep-mail-files.ts'
import { advanceTo, findMessage, findSent, findSentTo } from '../mail/mailboxes.store.ts'
import type { DeliveryReport, ReceivedMail } from '../mail/received-mail.ts'
import { keepInbound } from './keep-inbound.ts'
import { recordSendStatus } from './record-send-status.ts'

/**
 * The outcome of a mail: stored as a message; already known; sent by this cell or agency; a delivery report; or
 * processed by a concurrent fetch.
 */
export type MailOutcomeKind = 'filed' | 'known' | 'own' | 'report' | 'passed'
/** The position of a mail. */
export type MailLocation = { readonly name: string; readonly validity: number; readonly uid: number }
export type MailFilingNeeds = {
  readonly db: Database
  readonly files: Files
  readonly account: number
  /** The cell's own address: mails from it were written here. */
  readonly ownAddress: string
}

/** Makes of a mail what it is to the account, in the transaction that notes how far its box was read. */
export async function fileMail(
  needs: MailFilingNeeds,
  location: MailLocation,
  mail: ReceivedMail,
): Promise<MailOutcomeKind> {
  const { db, files, account } = needs
  const there = await db.reader(account).one(findMessage, { messageId: mail.messageId })
  const isOwn = there ? there.direction !== 'inbound' : isWrittenBy(mail, needs.ownAddress)
  const outcome = mail.report ? 'report' : isOwn ? 'own' : there ? 'known' : 'filed'
  const kept = await keepMailFiles((fn) => db.inAccount(account, fn), files, outcome === 'filed' ? mail.files : [])
  return db.inAccount(account, async (tx) => {
    if (!(await tx.one(advanceTo, location))) return 'passed'
    if (mail.report) await recordReport(tx, mail.report, mail.sentAt)
    if (outcome !== 'filed') return outcome
    const reasons = new Reasons()
    const claimed = await claimUploads(tx, files, 'attachments', kept.signedIds, reasons)
    const from = isFrom(mail.from, needs.ownAddress) ? mail.replyTo : mail.from
    const inbound = inboundOf({ ...mail, from }, claimed, kept.leftOut)
    return (await keepInbound(tx, inbound, ALL_POLICIES, reasons)).isNew ? 'filed' : 'known'
  })
}

const isFrom = (written: string | null, address: string): boolean =>
  written !== null && readMailAddress(written)?.address.toLowerCase() === address.toLowerCase()

/**
 * A form of the agency's site sends from the agency's address, with the writer in Reply-To: the writer is the sender.
 */
const isWrittenBy = ({ from, replyTo }: ReceivedMail, address: string): boolean =>
  isFrom(from, address) && (replyTo === null || isFrom(replyTo, address))

const inboundOf = (mail: ReceivedMail, files: readonly string[], leftOut: readonly LeftOut[]) => ({
  ...mail,
  channel: 'email' as const,
  ...{ company: null, customer: null, trip: null, thread: null, externalId: null, author: null },
  metadata: metadataOf(mail, leftOut),
  files,
})

/** Details of a mail that have no column of their own. */
function metadataOf({ isAutomatic, cut }: ReceivedMail, leftOut: readonly LeftOut[]): object | null {
  const known = {
    ...(isAutomatic && { auto_submitted: true }),
    ...(cut && { beginning_only: cut }),
    ...(leftOut.length > 0 && { attachments_left_out: leftOut }),
  }
  return Object.keys(known).length > 0 ? known : null
}

/** A returned message has failed; a delayed one may still arrive. */
async function recordReport(tx: AccountTx, { about, recipients }: DeliveryReport, at: string): Promise<void> {
  const failed = recipients.filter(({ action }) => action === 'failed')
  const sent = failed.length > 0 ? await findReported(tx, about, failed[0]?.address ?? null) : undefined
  if (!sent) return
  const codes = [...new Set(failed.flatMap(({ status }) => status ?? []))]
  await recordSendStatus(tx, sent.id, { status: 'failed', reason: 'bounced', at, metadata: { delivery_status: codes } })
}

/** The message that a delivery report names; otherwise the only one recently sent to the address. */
async function findReported(tx: AccountTx, about: readonly string[], address: string | null) {
  if (about.length > 0) return tx.one(findSent, { ids: about })
  const [sent, other] = address ? await tx.all(findSentTo, { address }) : []
  return other ? undefined : sent
}
