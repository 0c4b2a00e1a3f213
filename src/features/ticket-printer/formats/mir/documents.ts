import { type DocumentAction, type TicketDocument, type TicketLeg, Unreadable } from '../../ticket-file.ts'
import type { Bases } from './bases.ts'
import type { Command } from './commands.ts'
import { mirEmds } from './emds.ts'
import type { Mir } from './mir.ts'
import { numberedOf } from './numbers.ts'
import type { Party } from './party.ts'
import type { PassengerEntry } from './passengers.ts'
import { bareDocument, type DocumentNumbers, refundedDocuments } from './refunded-documents.ts'
import { soldDocuments } from './sales.ts'

type Context = {
  readonly command: Command
  readonly entries: readonly PassengerEntry[]
  readonly party: Party
  readonly legs: ReadonlyMap<string, TicketLeg>
  readonly bases: Bases
}

/** The documents of a file. */
export function mirDocuments(mir: Mir, context: Context): TicketDocument[] {
  const { command, entries, party, legs } = context
  const { action, holds } = command
  if (action === 'itinerary') return []
  const tickets = holds === 'emds' ? [] : numberedOf(mir, entries)
  const emds = holds === 'both' || tickets.length === 0 ? mirEmds(mir, legs) : []
  if (action === 'issue' || action === 'exchange') {
    return soldDocuments(mir, { ...context, tickets, emds, exchangesEmds: action === 'exchange' })
  }
  const numbers: DocumentNumbers[] = [
    ...tickets.map(
      ({ number, conjunctions, passenger }) => ({ number, kind: 'ticket', conjunctions, passenger }) as const,
    ),
    ...emds.map(({ number, conjunctions, name, passenger }) => {
      return { number, kind: 'emd', conjunctions, passenger: party.indexOf(name, passenger - 1) } as const
    }),
  ]
  const takenBack = action === 'refund' || action === 'refund_cancel'
  return takenBack
    ? refundedDocuments(mir, context, numbers)
    : numbers.map((each) => ({ ...bareDocument(mir), ...each }))
}

const VERBS: Partial<Record<DocumentAction, string>> = {
  exchange: 'exchanges',
  void: 'voids',
  restore: 'restores',
  refund: 'refunds',
  refund_cancel: 'cancels the refund of',
}

/** Why a file without documents is useless; null if it is just an itinerary. */
export function noDocumentsReason({ header, warnings }: Mir, { action }: Command): Unreadable | null {
  const [reason] = warnings.filter(({ code }) => code === 'unknown_airline_number' || code === 'unreadable_number')
  if (reason) return new Unreadable(`The MIR has no document that can be read. ${reason.message}`, 'no_document')
  const verb = VERBS[action]
  const detail = `command ${header.command}`
  return verb
    ? new Unreadable(`The MIR ${verb} a document (${detail}) but does not contain its number.`, 'no_document')
    : null
}
