import type { DocumentAction, TicketDocument } from '../../ticket-file.ts'
import { type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The operation of a ticket's element; `given_in` is the old ticket of an exchange. */
export type SirenaOperation = Extract<DocumentAction, 'issue' | 'void' | 'refund' | 'exchange'> | 'given_in'

/**
 * By the operation and its transaction. A void is printed as a refund in a cancellation, an exchange as the refund of
 * one document and the sale of another.
 */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, SirenaOperation>>>> = {
  SALE: { SALE: 'issue', REFUND: 'issue', EXCHANGE: 'exchange' },
  REFUND: { REFUND: 'refund', CANCEL: 'void', EXCHANGE: 'given_in' },
  EXCHANGE: { EXCHANGE: 'exchange' },
  CANCEL: { CANCEL: 'void' },
  VOID: { VOID: 'void' },
  CANX: { CANX: 'void' },
}
const KINDS: Readonly<Record<string, TicketDocument['kind']>> = {
  ETICKET: 'ticket',
  TICKET: 'ticket',
  EMD: 'emd',
  MCO: 'mco',
}

export const kindOf = (ticket: TicketXmlElement): TicketDocument['kind'] | null =>
  KINDS[textAt(ticket, 'TYPE')?.toUpperCase() ?? ''] ?? null

/** Null for unknown operations, which a user must handle. */
export function operationOf(ticket: TicketXmlElement): SirenaOperation | null {
  const operation = textAt(ticket, 'OPTYPE')?.toUpperCase() ?? ''
  const transaction = textAt(ticket, 'TRANS_TYPE')?.toUpperCase() ?? operation
  const found = OPERATIONS[operation]?.[transaction] ?? null
  // The penalty of an exchange, and the document for its residual value, are sold with it.
  return found === 'exchange' && kindOf(ticket) !== 'ticket' ? 'issue' : found
}
