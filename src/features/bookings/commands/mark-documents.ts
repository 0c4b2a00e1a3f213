import type { Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import { changeRecord } from '../../../imports/engine/one-record.ts'
import type { Importable, Stored } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { type DocumentStatus, followsDocuments, statusOfSale } from '../verticals/tickets/document-states.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'
import { listed } from './make-ticket-sale.ts'

export type Marks = {
  /** Position among the sale's passengers → status of the document. */
  readonly documents: ReadonlyMap<number, DocumentStatus>
  /** The sale's state before its documents brought it to another, where they did. */
  readonly before: string | null
  /** Refunds to attach, and the numbers whose attached refunds are withdrawn. */
  readonly refunds?: readonly Values[]
  readonly withdrawn?: ReadonlySet<string>
}

/** A sale that came in with its documents voided already, and then has a good one. */
const UNKNOWN_BASE = 'issued'

/**
 * Marks documents of a sale as voided, refunded, exchanged or valid again. The airline has already done it, so neither
 * the invoice lock nor the status transitions apply. Price and invoice stay, to be corrected by hand. Returns the
 * status of the sale with valid documents.
 */
export async function markDocuments(tx: AccountTx, sale: string, marks: Marks, desk: Desk): Promise<string> {
  let base = UNKNOWN_BASE
  const marking: Importable = {
    ...tickets,
    rules: () => ({
      amend(stored) {
        base = followsDocuments(stored.status) ? (marks.before ?? UNKNOWN_BASE) : stored.status
        return { changes: changesOf(stored, marks, base) }
      },
    }),
  }
  const row = await changeRecord(tx, marking, sale, {}, desk)
  if (row && row.errors.length === 0) return base
  throw new Error(`Documents of sale ${sale} could not be marked: ${JSON.stringify(row?.errors)}`)
}

function changesOf(stored: Stored, { documents, refunds = [], withdrawn = new Set() }: Marks, base: string): Values {
  const passengers = (stored.passengers as Values[]).map((passenger, at) => {
    const status = documents.get(at)
    return status ? { ...passenger, document_status: status } : passenger
  })
  const known = ((stored.refunds ?? []) as Values[]).map((refund) =>
    withdrawn.has(String(refund.ticket_number)) ? { ...refund, status: 'cancelled' } : refund,
  )
  return {
    passengers,
    status: statusOfSale(passengers, base),
    ...listed({ refunds: [...known, ...refunds] }),
  }
}
