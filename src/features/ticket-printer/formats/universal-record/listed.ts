import { airlineOfNumber } from '../../airline-numbers.ts'
import type { TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import type { Warn } from '../warnings.ts'
import { elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import type { UniversalTravellers } from './travellers.ts'

/** A document of an answer, and its status. */
export type StatedDocument = {
  readonly status: 'issued' | 'void' | 'refunded' | 'exchanged'
  readonly document: TicketDocument
}
/** The message, travellers and flights from which documents are read. */
export type UniversalAnswer = {
  readonly message: TicketXmlElement
  readonly travellers: UniversalTravellers
  readonly warn: Warn
}

const NUMBER = /^\d{13}$/
const STATUSES: Readonly<Record<string, StatedDocument['status']>> = {
  V: 'void',
  Void: 'void',
  R: 'refunded',
  Refunded: 'refunded',
  X: 'exchanged',
  E: 'exchanged',
  Exchanged: 'exchanged',
}

/** Of a ticket or of all its coupons; any other status means issued. */
export const statusOf = (printed: string | undefined): StatedDocument['status'] => STATUSES[printed ?? ''] ?? 'issued'

/** A document with a 13-digit number and a traveller; null, with a warning, if either is missing. */
export function startDocument(
  { travellers, warn }: UniversalAnswer,
  printed: {
    number: string | undefined
    kind: TicketDocument['kind']
    traveller: string | undefined
    name: TicketXmlElement | undefined
  },
): TicketDocument | null {
  const number = printed.number?.replace(/\s/g, '') ?? ''
  if (!NUMBER.test(number)) {
    warn('document_number', `"${number}" is not a 13-digit document number. The document was left out.`)
    return null
  }
  const passenger = travellers.indexOf(printed.traveller, printed.name)
  if (passenger < 0) {
    warn('unknown_passenger', `The file does not name the passenger of document ${number}. The document was left out.`)
    return null
  }
  return { ...BLANK_DOCUMENT, number, kind: printed.kind, passenger, airline: airlineOfNumber(number) }
}

/** The numbers in attributes of elements that continue or precede a document. */
export const numbersIn = (from: readonly TicketXmlElement[], attribute: string): readonly string[] =>
  from.flatMap(({ attributes }) => (NUMBER.test(attributes[attribute] ?? '') ? [attributes[attribute] as string] : []))

/** Tickets given in for another. */
export const exchangedIn = (ticket: TicketXmlElement): readonly string[] =>
  numbersIn(elements(ticket, 'ExchangedTicketInfo'), 'Number')
