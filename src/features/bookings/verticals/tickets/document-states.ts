import type { Values } from '../../../../catalogue/read-cells.ts'

export type DocumentStatus = 'open' | 'void' | 'refunded' | 'exchanged'
/** Sale states that are derived from the states of its documents. */
const FOLLOWING: readonly string[] = ['partly_voided', 'void', 'refunded', 'exchanged']

/** Whether the sale's state was derived from its documents. */
export const followsDocuments = (status: string): boolean => FOLLOWING.includes(status)

/** The statuses of the sale's documents; empty if no passenger has a document number. */
const statusesOf = (passengers: readonly Values[]): string[] =>
  passengers
    .filter(({ ticket_number }) => typeof ticket_number === 'string')
    .map(({ document_status }) => String(document_status ?? 'open'))

/**
 * Derives the state of a sale from its documents, ignoring void ones: all refunded, or all exchanged (refunded if some
 * are refunded and the others exchanged). `base` is the state while at least one document is still valid.
 */
export function statusOfSale(passengers: readonly Values[], base: string): string {
  const all = statusesOf(passengers)
  const living = all.filter((status) => status !== 'void')
  if (all.length > 0 && living.length === 0) return 'void'
  if (living.length > 0 && !living.includes('open')) return living.includes('refunded') ? 'refunded' : 'exchanged'
  return living.length < all.length ? 'partly_voided' : base
}

/**
 * The state of a sale with documents of which only a refund is known. Such a refund is a sale of its own, which stays
 * open until a user finishes it.
 */
export const statusWithRefunds = (passengers: readonly Values[], alone: ReadonlySet<string>, base: string): string =>
  statusOfSale(
    passengers.map((passenger) =>
      passenger.document_status === 'refunded' && alone.has(String(passenger.ticket_number))
        ? { ...passenger, document_status: 'open' }
        : passenger,
    ),
    base,
  )
