import { type DocumentAction, type TicketDocument, type TicketLeg, Unreadable } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { paidIn } from '../payments.ts'
import { printedText } from '../printed.ts'
import type { Bases } from './bases.ts'
import type { Command } from './commands.ts'
import { mirEmds } from './emds.ts'
import type { Mir } from './mir.ts'
import { numberedOf } from './numbers.ts'
import type { Party } from './party.ts'
import type { PassengerEntry } from './passengers.ts'
import { paymentsOf } from './payments.ts'
import { refundsOf } from './refunds.ts'
import { soldDocuments } from './sales.ts'

type Said = {
  readonly command: Command
  readonly entries: readonly PassengerEntry[]
  readonly party: Party
  readonly legs: ReadonlyMap<string, TicketLeg>
  readonly bases: Bases
}
type Numbers = Pick<TicketDocument, 'number' | 'kind' | 'conjunctions' | 'passenger'>

/** The documents that a file is about. */
export function mirDocuments(mir: Mir, said: Said): TicketDocument[] {
  const { command, entries, party, legs } = said
  const { action, holds } = command
  if (action === 'itinerary') return []
  const tickets = holds === 'emds' ? [] : numberedOf(mir, entries)
  const emds = holds === 'both' || tickets.length === 0 ? mirEmds(mir, legs) : []
  if (action === 'issue' || action === 'exchange') {
    return soldDocuments(mir, { ...said, tickets, emds, exchangesEmds: action === 'exchange' })
  }
  const numbers: Numbers[] = [
    ...tickets.map(
      ({ number, conjunctions, passenger }) => ({ number, kind: 'ticket', conjunctions, passenger }) as const,
    ),
    ...emds.map(({ number, conjunctions, name, passenger }) => {
      return { number, kind: 'emd', conjunctions, passenger: party.indexOf(name, passenger - 1) } as const
    }),
  ]
  const takenBack = action === 'refund' || action === 'refund_cancel'
  return takenBack ? refundedDocuments(mir, said, numbers) : numbers.map((each) => ({ ...bare(mir), ...each }))
}

const bare = ({ header }: Mir) => ({ ...BLANK_DOCUMENT, airline: printedText(header.airline) })

/** What is refunded has a section of its own; without it, the documents are known and the amounts are not. */
function refundedDocuments(mir: Mir, { command, entries, party }: Said, numbers: readonly Numbers[]): TicketDocument[] {
  const isDone = command.action === 'refund'
  const issuedOn = isDone ? mir.header.day : null
  const payments = paymentsOf(mir, Math.max(1, entries.length))
  const paidBack = (passenger: number) => (isDone ? paidIn(payments.of(passenger)) : null)
  const known = new Map(numbers.map((each) => [each.number, each]))
  const refunded = refundsOf(mir)
  if (refunded.length === 0) {
    if (isDone && numbers.length > 0) {
      mir.warn('refund_amounts', 'The file does not contain the amounts of the refund. Enter them by hand.')
    }
    return numbers.map((each) => ({ ...bare(mir), ...each, issuedOn, formOfPayment: paidBack(each.passenger) }))
  }
  return refunded.map(({ number, conjunctions, name, refund }) => {
    const passenger = known.get(number)?.passenger ?? party.indexOf(name)
    return {
      ...bare(mir),
      number,
      kind: known.get(number)?.kind ?? (command.holds === 'emds' ? 'emd' : 'ticket'),
      conjunctions,
      passenger,
      issuedOn,
      formOfPayment: paidBack(passenger),
      refund: isDone ? refund : null,
    }
  })
}

const VERBS: Partial<Record<DocumentAction, string>> = {
  exchange: 'exchanges',
  void: 'voids',
  restore: 'restores',
  refund: 'refunds',
  refund_cancel: 'cancels the refund of',
}

/** Why a file that is about documents and names none is of no use; null where it is but an itinerary. */
export function noDocumentsReason({ header, warnings }: Mir, { action }: Command): Unreadable | null {
  const [reason] = warnings.filter(({ code }) => code === 'unknown_airline_number' || code === 'unreadable_number')
  if (reason) return new Unreadable(`The MIR has no document that can be read. ${reason.message}`)
  const verb = VERBS[action]
  const told = `command ${header.command}`
  return verb ? new Unreadable(`The MIR ${verb} a document (${told}) but does not contain its number.`) : null
}
