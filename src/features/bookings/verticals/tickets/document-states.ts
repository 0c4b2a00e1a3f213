import type { Values } from '../../../../catalogue/read-cells.ts'

export type DocumentStatus = 'open' | 'void' | 'refunded' | 'exchanged'
/** The states that follow from a sale's documents. */
const FOLLOWING: readonly string[] = ['partly_voided', 'void', 'refunded', 'exchanged']

/** Whether a sale is in a state that its documents brought it to. */
export const followsDocuments = (status: string): boolean => FOLLOWING.includes(status)

/** The documents of a sale by their status; where no passenger has a number, none. */
const statusesOf = (passengers: readonly Values[]): string[] =>
  passengers
    .filter(({ ticket_number }) => typeof ticket_number === 'string')
    .map(({ document_status }) => String(document_status ?? 'open'))

/**
 * The state of a sale by those of its documents, void ones left aside: all refunded, or all exchanged (refunded where
 * it is both), is what the sale is. `base` is its state where some of them are good.
 */
export function statusOfSale(passengers: readonly Values[], base: string): string {
  const all = statusesOf(passengers)
  const living = all.filter((status) => status !== 'void')
  if (all.length > 0 && living.length === 0) return 'void'
  if (living.length > 0 && !living.includes('open')) return living.includes('refunded') ? 'refunded' : 'exchanged'
  return living.length < all.length ? 'partly_voided' : base
}

/**
 * A sale of documents some of which nothing but a refund is known of: such a refund is a sale of its own, and open until
 * somebody finishes it.
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
