import type { TicketDocument, TicketFile } from '../../ticket-file.ts'
import type { collectWarnings } from '../warnings.ts'
import { type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { sirenaNumbersOf } from './numbers.ts'
import { kindOf, operationOf, type SirenaOperation } from './operations.ts'

/** An element about a document with a known number. */
export type SirenaEntry = {
  readonly ticket: TicketXmlElement
  readonly operation: SirenaOperation
  readonly kind: TicketDocument['kind']
  readonly number: string
  readonly conjunctions: readonly string[]
}
/** The entry of a document that is sold or refunded; the old ticket of an exchange is not one. */
export type SirenaSale = SirenaEntry & { readonly operation: TicketFile['action'] }
export type SirenaNotes = ReturnType<typeof collectWarnings>

/** Null if the document is left out; a warning contains the reason. */
export function sirenaEntryOf(ticket: TicketXmlElement, { warn }: SirenaNotes): SirenaEntry[] {
  const leave = (problem: string): SirenaEntry[] => {
    warn('ticket_left_out', `${problem} The document was left out.`)
    return []
  }
  const numbers = sirenaNumbersOf(ticket)
  if ('problem' in numbers) return leave(numbers.problem)
  const [kind, operation] = [kindOf(ticket), operationOf(ticket)]
  if (!kind) return leave(`${numbers.number} has the unknown type ${textAt(ticket, 'TYPE')}.`)
  if (operation) return [{ ticket, operation, kind, ...numbers }]
  const printed = [textAt(ticket, 'OPTYPE'), textAt(ticket, 'TRANS_TYPE')].filter((text) => text !== null)
  return leave(`The operation ${printed.join(', ')} of ${numbers.number} is not known.`)
}
