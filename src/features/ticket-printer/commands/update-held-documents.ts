import { markDocuments } from '../../bookings/commands/mark-documents.ts'
import type { DocumentStatus } from '../../bookings/verticals/tickets/document-states.ts'
import { refundItem } from '../after-sale.ts'
import type { CaptureContext } from '../capture-context.ts'
import type { CaptureOutcome } from '../capture-outcome.ts'
import type { DocumentEvent, HeldDocument } from '../documents.store.ts'
import type { FileWarning } from '../ticket-file.ts'

/** Changes of documents after their issue. */
export type LaterAction = DocumentEvent['action']
const STATUS_AFTER: Partial<Record<LaterAction, DocumentStatus>> = {
  void: 'void',
  refund: 'refunded',
  exchange: 'exchanged',
}
const UNDONE: Partial<Record<LaterAction, string>> = { restore: 'void', refund_cancel: 'refunded' }

/**
 * Brings the documents of these numbers that the account holds to what the file says of them. One that is so already
 * stays as it is, unless its refund is not known yet; only an existing state can be undone. Returns what has happened,
 * and what the books have to mend.
 */
export async function updateHeldDocuments(
  { tx, file, desk, day, held }: CaptureContext,
  action: LaterAction,
  numbers: readonly string[],
): Promise<Pick<CaptureOutcome, 'events' | 'warnings'>> {
  const statusAfter = (document: HeldDocument): DocumentStatus =>
    STATUS_AFTER[action] ?? ((document.before ?? 'open') as DocumentStatus)
  const isChange = (document: HeldDocument): boolean =>
    document.status !== statusAfter(document) || (action === 'refund' && document.refunded.length === 0)
  const moved = numbers
    .flatMap((number) => held.get(number) ?? [])
    .filter((document) => isChange(document) && (UNDONE[action] ?? document.status) === document.status)
  const events: DocumentEvent[] = []
  for (const [sale, documents] of Map.groupBy(moved, ({ sale }) => sale)) {
    const theirs = new Set(documents.map(({ number }) => number))
    const refunds = file.documents.filter(({ number }) => action === 'refund' && theirs.has(number))
    const base = await markDocuments(
      tx,
      sale,
      {
        documents: new Map(documents.map((document) => [document.passenger, statusAfter(document)])),
        before: documents[0]?.sale_before ?? null,
        refunds: refunds.map((document) => refundItem(document, day)),
        withdrawn: action === 'refund_cancel' ? theirs : new Set(),
      },
      desk,
    )
    for (const document of documents) {
      const { number, status } = document
      const before = status === statusAfter(document) ? 'open' : status
      events.push({ number, action, booking_id: sale, document_before: before, sale_before: base })
    }
  }
  const invoiced = moved.filter((document) => document.invoiced).map(({ number }) => invoicedSale(number))
  return { events, warnings: invoiced }
}

const invoicedSale = (number: string): FileWarning => ({
  code: 'sale_invoiced',
  message: `Document ${number} belongs to an invoiced sale. The invoice does not change. Correct the accounts by hand.`,
})
