import { isDeepStrictEqual } from 'node:util'
import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { RowFrom } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import type { Seal } from '../../../platform/seal.ts'
import { dayIn } from '../../../platform/time.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { type CaptureContext, type CaptureOffice, loadContext } from '../capture-context.ts'
import type { FailureCause } from '../capture-outcome.ts'
import { describeFailure, findKeptCapture } from '../captures.store.ts'
import { ERROR_LENGTH } from '../captures.view.ts'
import { dropDocumentEvents } from '../documents.store.ts'
import { factsOf, numbersNamedIn } from '../facts.ts'
import { maskedExcerpt } from '../masked-excerpt.ts'
import { type ReadFile, readFile } from '../read-file.ts'
import { compareSales, type SaleDifference } from '../sale-differences.ts'
import { planSales } from '../sale-plan.ts'
import { storedFile } from '../stored-file.ts'
import { type TicketFile, Unreadable } from '../ticket-file.ts'
import { processFile } from './capture-file.ts'
import { keepReading } from './keep-reading.ts'

export type SaleChange = SaleDifference & {
  /** Null for a new sale. */
  readonly sale: string | null
  /** Whether the sale was finished by a user, so that it stays unchanged. */
  readonly finished: boolean
}
export type Reread = {
  /** The capture that stores the bytes. */
  readonly id: string
  readonly result: 'unchanged' | 'changed' | 'failed'
  /** Why the file still fails. */
  readonly error: string | null
  readonly changes: readonly SaleChange[]
}
type Kept = RowFrom<typeof findKeptCapture>

/**
 * Parses the bytes of a capture again with the current parsers and updates its sales: unfinished sales change except
 * for what users changed; changes of finished sales are only reported to the file's seat. Returns null if there is no
 * such capture.
 */
export async function rereadCapture(
  tx: AccountTx,
  office: CaptureOffice,
  seal: Seal,
  id: string,
): Promise<Reread | null> {
  takeChangeNumber(tx)
  const kept = await tx.one(findKeptCapture, { id })
  if (!kept) return null
  const today = dayIn(office.timeZone, Date.parse(kept.arrived))
  const read = readFile(seal.openBytes(kept.content), {
    label: kept.encoding,
    country: office.company.country,
    today,
  })
  const { result: file } = read
  if (file instanceof Unreadable) return stillFailed(tx, kept, read, file)
  const former = kept.document && storedFile(kept.document)
  if (former && kept.status !== 'failed' && isDeepStrictEqual(former, JSON.parse(JSON.stringify(storedFile(file)))))
    return { id: kept.id, result: 'unchanged', error: null, changes: [] }
  const context = await loadContext(tx, office, file, former ? numbersNamedIn(former) : [])
  const counted = context.readings.find((each) => each.id === kept.id)?.numbers ?? new Set()
  const gone = new Set(former && kept.status !== 'failed' ? factsOf({ file: former }).map(({ number }) => number) : [])
  const finished = finishedChanges(context, kept.id, file)
  const { outcome, sales } = await processFile(context, kept.id, kept.digest, gone.difference(counted))
  if (outcome.status === 'failed')
    return stillFailed(tx, kept, read, { cause: outcome.cause, reason: outcome.error ?? '' })
  keepReading(tx, {
    id: kept.id,
    isStored: true,
    read,
    file,
    outcome: kept.status === 'failed' ? outcome : { ...outcome, ...keptOutcome(kept, outcome.sale) },
    content: kept.content,
    sender: { filename: null, agent: null },
    arrived: kept.arrived,
    timeZone: office.timeZone,
    action: 'ticket_file.reread',
  })
  tx.later(dropDocumentEvents, { capture: kept.id, numbers: factsOf({ file }).map(({ number }) => number) })
  notifyOfFinished(tx, context, finished)
  const changes = sales.flatMap(({ plan, differences }) =>
    differences.map((difference) => ({ ...difference, sale: plan.sale, finished: false })),
  )
  return { id: kept.id, result: 'changed', error: null, changes: [...changes, ...finished] }
}

/** The result for a file that cannot be captured. A capture that failed before causes were stored gets its cause. */
function stillFailed(
  tx: AccountTx,
  { id, status, cause }: Kept,
  { text, format }: ReadFile,
  failure: { readonly cause: FailureCause | null; readonly reason: string },
): Reread {
  if (status === 'failed' && cause === null) {
    const error = failure.reason.slice(0, ERROR_LENGTH).toWellFormed()
    tx.later(describeFailure, { id, error, cause: failure.cause, excerpt: maskedExcerpt(text, format) })
    auditOwn(tx, {
      action: 'ticket_file.reread',
      subjectType: 'ticket_capture',
      subjectId: id,
      details: { status, cause: failure.cause },
    })
  }
  return { id, result: 'failed', error: failure.reason, changes: [] }
}

/** Only the warnings of the file change in what the capture answered. */
function keptOutcome({ status, sale, duplicates, warnings, document }: Kept, current: string | null) {
  const ofFile = new Set((document?.warnings ?? []).map(({ code, message }) => `${code} ${message}`))
  return {
    status,
    sale: current ?? sale,
    duplicates: duplicates ?? [],
    warnings: warnings.filter(({ code, message }) => !ofFile.has(`${code} ${message}`)),
  }
}

/** What would change in finished sales of captured files. */
function finishedChanges({ held, readings, desk }: CaptureContext, id: string, file: TicketFile): SaleChange[] {
  const finished = new Set([...held.values()].flatMap(({ sale, captured, open }) => (captured && !open ? sale : [])))
  const asOpen = new Map([...held].map(([number, each]) => [number, { ...each, open: each.captured }]))
  const after = readings.map((each) => (each.id === id ? { ...each, file } : each))
  const { plans } = planSales({ before: readings, after }, asOpen, { read: desk.read, today: desk.context.today })
  return plans.flatMap(({ sale, before, after: current }) =>
    sale !== null && finished.has(sale) && before && current
      ? compareSales(before.row, current.row).map((difference) => ({ ...difference, sale, finished: true }))
      : [],
  )
}

/** Names only the fields, because a notification contains no personal data. */
function notifyOfFinished(tx: AccountTx, { seat, file }: CaptureContext, changes: readonly SaleChange[]): void {
  if (seat === null) return
  for (const [sale, theirs] of Map.groupBy(changes, (change) => change.sale)) {
    const fields = new Set(theirs.map(({ field }) => field.replace(/\[\d+\]/, '')))
    notify(tx, {
      seat,
      kind: 'ticket_captured',
      title: `Ticket file read again differs from a finished sale: ${file.pnr ?? 'no locator'}`,
      body: `The sale did not change. Compare these fields with the file: ${[...fields].join(', ')}.`.slice(0, BODY),
      priority: 'normal',
      subjectType: 'TicketSale',
      subjectId: sale,
      subjectLabel: file.pnr,
    })
  }
}
const BODY = 1000
