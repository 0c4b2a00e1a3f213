import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../platform/access/actor.ts'
import { defaultCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import type { Seal } from '../../../platform/seal.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { type CaptureContext, type CaptureOffice, loadContext } from '../capture-context.ts'
import { type CaptureOutcome, failed } from '../capture-outcome.ts'
import { findSameBytes, keepSameBytes } from '../captures.store.ts'
import { factsOf } from '../facts.ts'
import type { ReadFile } from '../read-file.ts'
import { type TicketFile, Unreadable } from '../ticket-file.ts'
import { type FileSender, keepReading } from './keep-reading.ts'
import { type Processed, processDocuments } from './process-documents.ts'

const LABEL = 200

/** The office for files that an API key sends. */
export const officeOf = (actor: Actor): CaptureOffice => ({
  company: defaultCompany(actor),
  timeZone: actor.timeZone,
  seat: actor.seat,
})

/**
 * Captures a file: creates or changes sales and stores the capture. Takes the account's change number first, so that
 * the same file sent twice at once creates one sale. Returns the id of the capture and the HTTP status.
 */
export async function captureFile(
  tx: AccountTx,
  actor: Actor,
  seal: Seal,
  read: ReadFile,
  sender: FileSender,
): Promise<{ id: string; status: 200 | 201 | 422 }> {
  const { sha256, result } = read
  takeChangeNumber(tx)
  const earlier = await tx.one(findSameBytes, { digest: sha256 })
  if (earlier && earlier.status !== 'failed') {
    const id = randomUUIDv7()
    tx.later(keepSameBytes, { id, first: earlier.id, ...sender })
    return { id, status: 200 }
  }
  const file = result instanceof Unreadable ? null : result
  const office = officeOf(actor)
  const context = file && (await loadContext(tx, office, file))
  const id = earlier?.id ?? randomUUIDv7()
  const { outcome } =
    result instanceof Unreadable
      ? { outcome: failed(result.cause, result.reason) }
      : await processFile(context as CaptureContext, id, sha256)
  if (earlier && outcome.status === 'failed') return { id: earlier.id, status: 422 }
  keepReading(tx, {
    id,
    isStored: earlier !== undefined,
    read,
    file,
    outcome,
    content: seal.seal(read.bytes),
    sender,
    arrived: await tx.now,
    timeZone: office.timeZone,
    action: 'ticket_file.captured',
  })
  notifyOfCapture(tx, context?.seat ?? office.seat, id, file, outcome)
  const { status } = outcome
  return { id, status: status === 'parsed' ? 201 : status === 'duplicate' ? 200 : 422 }
}

/** Processes a readable file; it no longer counts for the numbers in `gone`. */
export async function processFile(
  context: CaptureContext,
  id: string,
  digest: Buffer,
  gone: ReadonlySet<string> = new Set(),
): Promise<Processed> {
  const { file } = context
  const { action, training, documents } = file
  if (training) return refused('training', 'This is a training record of the GDS. No document was issued.')
  if (action === 'itinerary' || documents.length === 0)
    return refused(
      'not_issued',
      'The file contains a reservation without ticket numbers. Send the file that is written when the ticket is issued.',
    )
  const numbers = new Set(factsOf({ file }).map(({ number }) => number)).difference(gone)
  return processDocuments(context, { id, file, digest: digest.toString('hex'), numbers })
}

const refused = (...reason: Parameters<typeof failed>): Processed => ({ outcome: failed(...reason), sales: [] })

function notifyOfCapture(
  tx: AccountTx,
  seat: string | null,
  id: string,
  file: TicketFile | null,
  outcome: CaptureOutcome,
): void {
  if (seat === null) return
  const { status, sale, error } = outcome
  const label = (file?.pnr ?? file?.documents[0]?.number ?? 'ticket file').slice(0, LABEL)
  notify(tx, {
    seat,
    kind: status === 'failed' ? 'ticket_capture_failed' : 'ticket_captured',
    title: status === 'failed' ? `Ticket file not captured: ${label}` : `${TITLES[file?.action ?? 'issue']}: ${label}`,
    body: error && (file ? error : UNREAD),
    priority: status === 'failed' ? 'high' : 'normal',
    subjectType: sale ? 'TicketSale' : 'TicketCapture',
    subjectId: sale ?? id,
    subjectLabel: label,
  })
}
/** The reason can quote the file, and a notification contains no personal data. */
const UNREAD = 'The file could not be read. See the capture for the reason.'
const TITLES: Readonly<Record<TicketFile['action'], string>> = {
  issue: 'Tickets captured',
  exchange: 'Exchange captured',
  void: 'Void captured',
  refund: 'Refund captured',
  restore: 'Restored ticket captured',
  refund_cancel: 'Cancelled refund captured',
  itinerary: 'Itinerary captured',
}
