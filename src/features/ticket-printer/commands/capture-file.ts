import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../platform/access/actor.ts'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import type { Seal } from '../../../platform/seal.ts'
import { dayIn, readInstant } from '../../../platform/time.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { type CaptureContext, loadContext } from '../capture-context.ts'
import { type CaptureOutcome, failed } from '../capture-outcome.ts'
import { findSameBytes, keepCapture, keepSameBytes } from '../captures.store.ts'
import { ERROR_LENGTH, MESSAGE_LENGTH, NUMBERS_MAXIMUM, WARNINGS_MAXIMUM } from '../captures.view.ts'
import { keepDocumentEvents } from '../documents.store.ts'
import { factsOf } from '../facts.ts'
import { maskedExcerpt } from '../masked-excerpt.ts'
import type { ReadFile } from '../read-file.ts'
import { type FileWarning, type TicketFile, Unreadable } from '../ticket-file.ts'
import { processDocuments } from './process-documents.ts'

/** Who sent a file, and under which name. */
type Sender = { readonly filename: string | null; readonly agent: object | null }
const LABEL = 200

/**
 * Captures a file: what it makes or changes, and the row that tells of it. The account's change number comes first, so
 * that the same file, sent twice at once, is one sale. Answers the capture's id, and the status of the answer.
 */
export async function captureFile(
  tx: AccountTx,
  actor: Actor,
  seal: Seal,
  read: ReadFile,
  sender: Sender,
): Promise<{ id: string; status: 200 | 201 | 422 }> {
  const { sha256, result: said } = read
  const agent = sender.agent && JSON.stringify(sender.agent)
  takeChangeNumber(tx)
  const earlier = await tx.one(findSameBytes, { digest: sha256 })
  if (earlier && earlier.status !== 'failed') {
    const id = randomUUIDv7()
    tx.later(keepSameBytes, { id, first: earlier.id, filename: sender.filename, agent })
    return { id, status: 200 }
  }
  const file = said instanceof Unreadable ? null : said
  const context = file && (await loadContext(tx, actor, file))
  const id = earlier?.id ?? randomUUIDv7()
  const outcome =
    said instanceof Unreadable
      ? failed(said.cause, said.reason)
      : await processFile(context as CaptureContext, id, sha256)
  if (earlier && outcome.status === 'failed') return { id: earlier.id, status: 422 }
  const { status, sale, error, cause, duplicates, warnings, events } = outcome
  tx.later(keepCapture, {
    id,
    status,
    sale,
    error: error?.slice(0, ERROR_LENGTH).toWellFormed() ?? null,
    cause,
    excerpt: status === 'failed' ? maskedExcerpt(read.text, read.format) : null,
    provider: read.provider,
    format: read.format,
    encoding: read.encoding,
    filename: sender.filename,
    agent,
    digest: sha256,
    content: seal.seal(read.bytes),
    document: file && JSON.stringify(file),
    action: file?.action ?? null,
    numbers: file?.documents.slice(0, NUMBERS_MAXIMUM).map(({ number }) => number) ?? null,
    duplicates: duplicates.length > 0 ? duplicates.slice(0, NUMBERS_MAXIMUM) : null,
    pnr: file?.pnr ?? null,
    ...partOf(file),
    warnings: JSON.stringify(withinLimits([...(file?.warnings ?? []), ...warnings])),
    captured: file ? madeAt(file, actor.timeZone, await tx.now) : await tx.now,
  })
  auditOwn(tx, {
    action: 'ticket_file.captured',
    subjectType: 'ticket_capture',
    subjectId: id,
    details: { status, sale },
  })
  if (events.length > 0) tx.later(keepDocumentEvents, { capture: id, events: JSON.stringify(events) })
  notifyOfCapture(tx, context?.seat ?? actor.seat, id, file, outcome)
  return { id, status: status === 'parsed' ? 201 : status === 'duplicate' ? 200 : 422 }
}

/** A file of spoilt bytes may warn of anything, as often as it likes. */
const withinLimits = (warnings: readonly FileWarning[]): FileWarning[] =>
  warnings
    .slice(0, WARNINGS_MAXIMUM)
    .map(({ code, message }) => ({ code, message: message.slice(0, MESSAGE_LENGTH).toWellFormed() }))

const partOf = (file: TicketFile | null) => ({
  sequence: file?.part?.sequence ?? null,
  part: file?.part?.number ?? null,
  parts: file?.part?.of ?? null,
})

/** Processes a file that could be read. */
function processFile(context: CaptureContext, id: string, digest: Buffer): Promise<CaptureOutcome> | CaptureOutcome {
  const { file } = context
  const { action, training, documents } = file
  if (training) return failed('training', 'This is a training record of the GDS. No document was issued.')
  if (action === 'itinerary' || documents.length === 0)
    return failed(
      'not_issued',
      'The file contains a reservation without ticket numbers. Send the file that is written when the ticket is issued.',
    )
  const numbers = new Set(factsOf({ file }).map(({ number }) => number))
  return processDocuments(context, { id, file, digest: digest.toString('hex'), numbers })
}

/** When the file was made by its header; one that tells the day alone was made when it came, or as that day began. */
function madeAt({ made }: TicketFile, timeZone: string, now: string): string {
  if (!made || (made.time === null && made.day === dayIn(timeZone, Date.parse(now)))) return now
  return readInstant(`${made.day}T${made.time ?? '00:00'}`, made.zone ?? timeZone) ?? now
}

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
/** Why a file could not be read may quote it, and a notification holds no personal data. */
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
