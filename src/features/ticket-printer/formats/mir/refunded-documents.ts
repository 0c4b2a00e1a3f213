import type { TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { paidIn } from '../payments.ts'
import { printedText } from '../printed.ts'
import type { Command } from './commands.ts'
import type { Mir } from './mir.ts'
import type { Party } from './party.ts'
import type { PassengerEntry } from './passengers.ts'
import { paymentsOf } from './payments.ts'
import { refundsOf } from './refunds.ts'

export type DocumentNumbers = Pick<TicketDocument, 'number' | 'kind' | 'conjunctions' | 'passenger'>
type Refunding = {
  readonly command: Command
  readonly entries: readonly PassengerEntry[]
  readonly party: Party
}

/** A document with little more than its number. */
export const bareDocument = ({ header }: Mir) => ({ ...BLANK_DOCUMENT, airline: printedText(header.airline) })

/** Refunds have a section of their own; without it, only the documents are known, not the amounts. */
export function refundedDocuments(
  mir: Mir,
  { command, entries, party }: Refunding,
  numbers: readonly DocumentNumbers[],
): TicketDocument[] {
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
    return numbers.map((each) => ({ ...bareDocument(mir), ...each, issuedOn, formOfPayment: paidBack(each.passenger) }))
  }
  return refunded.map(({ number, conjunctions, name, refund, formOfPayment }) => {
    const passenger = known.get(number)?.passenger ?? party.indexOf(name)
    return {
      ...bareDocument(mir),
      number,
      kind: known.get(number)?.kind ?? (command.holds === 'emds' ? 'emd' : 'ticket'),
      conjunctions,
      passenger,
      issuedOn,
      formOfPayment: paidBack(passenger) ?? (isDone ? formOfPayment : null),
      refund: isDone ? refund : null,
    }
  })
}
