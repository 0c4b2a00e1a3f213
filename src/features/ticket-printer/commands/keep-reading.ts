import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { dayIn, readInstant } from '../../../platform/time.ts'
import type { CaptureOutcome } from '../capture-outcome.ts'
import { keepCapture } from '../captures.store.ts'
import { ERROR_LENGTH, MESSAGE_LENGTH, NUMBERS_MAXIMUM, WARNINGS_MAXIMUM } from '../captures.view.ts'
import { addDocumentEvents, keepDocumentEvents } from '../documents.store.ts'
import { maskedExcerpt } from '../masked-excerpt.ts'
import type { ReadFile } from '../read-file.ts'
import type { FileWarning, TicketFile } from '../ticket-file.ts'

/** The name of the file and the program that sent it. */
export type FileSender = { readonly filename: string | null; readonly agent: string | null }
/** A capture as stored: `content` is the sealed bytes, `arrived` the time of arrival. */
export type StoredReading = {
  readonly id: string
  /** Whether the capture is stored already. */
  readonly isStored: boolean
  readonly read: Pick<ReadFile, 'provider' | 'format' | 'encoding' | 'sha256' | 'text'>
  readonly file: TicketFile | null
  readonly outcome: CaptureOutcome
  readonly content: Buffer
  readonly sender: FileSender
  readonly arrived: string
  readonly timeZone: string
  readonly action: 'ticket_file.captured' | 'ticket_file.reread'
}

/** Stores the content of a file and its outcome, replacing those of an existing capture. */
export function keepReading(tx: AccountTx, reading: StoredReading): void {
  const { id, isStored, read, file, outcome, content, sender, arrived, timeZone, action } = reading
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
    ...sender,
    digest: read.sha256,
    content,
    document: file && JSON.stringify(file),
    action: file?.action ?? null,
    numbers: file?.documents.slice(0, NUMBERS_MAXIMUM).map(({ number }) => number) ?? null,
    duplicates: duplicates.length > 0 ? duplicates.slice(0, NUMBERS_MAXIMUM) : null,
    pnr: file?.pnr ?? null,
    ...partOf(file),
    warnings: JSON.stringify(withinLimits([...(file?.warnings ?? []), ...warnings])),
    captured: file ? madeAt(file, timeZone, arrived) : arrived,
  })
  auditOwn(tx, { action, subjectType: 'ticket_capture', subjectId: id, details: { status, sale } })
  if (events.length > 0)
    tx.later(isStored ? keepDocumentEvents : addDocumentEvents, { capture: id, events: JSON.stringify(events) })
}

/** Corrupt files can produce any number of warnings. */
const withinLimits = (warnings: readonly FileWarning[]): FileWarning[] =>
  warnings
    .slice(0, WARNINGS_MAXIMUM)
    .map(({ code, message }) => ({ code, message: message.slice(0, MESSAGE_LENGTH).toWellFormed() }))

const partOf = (file: TicketFile | null) => ({
  sequence: file?.part?.sequence ?? null,
  part: file?.part?.number ?? null,
  parts: file?.part?.of ?? null,
})

/**
 * When the file was made, by its header. Of a header without a time: the time of arrival if it is on that day,
 * otherwise the beginning of the day.
 */
function madeAt({ made }: TicketFile, timeZone: string, arrived: string): string {
  if (!made || (made.time === null && made.day === dayIn(timeZone, Date.parse(arrived)))) return arrived
  return readInstant(`${made.day}T${made.time ?? '00:00'}`, made.zone ?? timeZone) ?? arrived
}
