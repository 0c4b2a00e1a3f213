import { type DocumentAction, type ReadTicketFile, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { documentsOnce } from '../documents-once.ts'
import { printedText } from '../printed.ts'
import { checkTotal } from '../totals.ts'
import { collectWarnings } from '../warnings.ts'
import { accountedDocuments } from './accounted.ts'
import { accountingLine } from './accounting.ts'
import { cutField, HEADER, TICKET } from './columns.ts'
import { hasCoupons } from './emd-coupons.ts'
import { iurEmds } from './emds.ts'
import { airlineLocators } from './flights.ts'
import { iurLegs } from './legs.ts'
import { seated } from './passengers.ts'
import { type Draft, type Reading, readingOf } from './reading.ts'
import { cutOff, type IurFile, iurRecords, missingRecords, splitRecords } from './records.ts'
import { iurRemarks } from './remarks.ts'
import { readShortVoid } from './short-void.ts'
import { ticketsOf } from './tickets.ts'

type Kind = 'sale' | 'invoice' | 'itinerary' | 'void'
/** The transaction types whose records are parsed. */
const KINDS: Readonly<Record<string, Kind>> = {
  '1': 'sale',
  '2': 'invoice',
  '3': 'itinerary',
  A: 'sale',
  B: 'sale',
  F: 'void',
  G: 'void',
}
const SHORT_VOIDS = ['5', 'C']
/** Types whose header counts the following records; the header of a void has the counts of the sale. */
const COUNTED = ['1', '2', '3', 'A']
const NO_DOCUMENTS: Readonly<Record<string, string>> = {
  '4': 'The file is a boarding pass. It does not issue a document.',
  '6': 'The file is a fare quotation. It does not issue a document.',
  '7': 'The file is a purged reservation. It does not contain a document.',
}
const NON_BSP = '3'
/** Warnings about documents that are left out. */
const LEFT_OUT = ['unreadable_number', 'unknown_airline_number']

type Content = { readonly action: DocumentAction; readonly drafts: readonly Draft[] }

/** Parses an interface user record of Sabre: one transaction, usually an invoice, in records of fixed columns. */
export const readIur: ReadTicketFile = (content, today) => {
  const file = splitRecords(content)
  if (file instanceof Unreadable) return file
  const type = cutField(file.header, HEADER.type)
  if (SHORT_VOIDS.includes(type)) return readShortVoid(file.header, type, today)
  const kind = KINDS[type]
  if (kind === undefined)
    return new Unreadable(
      NO_DOCUMENTS[type] ?? `The file is a Sabre IUR of an unknown type: "${type}".`,
      'unknown_kind',
    )
  return (COUNTED.includes(type) ? missingRecords(file) : null) ?? cutInside(file) ?? readRecords(file, kind, today)
}

function readRecords(file: IurFile, kind: Kind, today: string): TicketFile | Unreadable {
  const { warn, warnings } = collectWarnings()
  const reading = readingOf(file, today, warn)
  const { action, drafts } = contentOf(reading, kind)
  const documents = documentsOnce(drafts, warn)
  for (const document of documents) if (!document.exchange) checkTotal(document, warn)
  const leftOut = warnings.findLast(({ code }) => LEFT_OUT.includes(code))
  if (documents.length === 0 && (leftOut || kind === 'sale' || kind === 'void')) {
    return new Unreadable(
      leftOut?.message ?? 'The file contains no documents: it has neither tickets nor EMDs.',
      'no_document',
    )
  }
  return { ...transactionOf(reading), ...readOf(reading, action, documents), warnings }
}

function contentOf(reading: Reading, kind: Kind): Content {
  if (kind === 'itinerary') return { action: 'itinerary', drafts: [] }
  if (kind === 'invoice') {
    const { refund, drafts } = accountedDocuments(reading)
    return { action: refund ? 'refund' : saleAction(drafts), drafts }
  }
  const isVoid = kind === 'void'
  const drafts = [...ticketsOf(reading, isVoid), ...iurEmds(reading, isVoid)]
  return { action: isVoid ? 'void' : saleAction(drafts), drafts }
}

function saleAction(drafts: readonly Draft[]): DocumentAction {
  if (drafts.length === 0) return 'itinerary'
  return drafts.some(({ exchange }) => exchange !== null) ? 'exchange' : 'issue'
}

/** Detects a last record that ends too early, which the counts do not reveal. */
function cutInside({ last, open }: IurFile): Unreadable | null {
  const isTicket = last?.tag === 'M2'
  if (isTicket && cutField(last.line, TICKET.conjunctions) === '') return cutOff('its last ticket record is incomplete')
  if (last?.tag === 'MG' && !hasCoupons(last, open)) return cutOff('its last EMD has fewer coupons than it declares')
  if (last?.tag === 'M5' && !accountingLine(last.line).whole) return cutOff('its last accounting line is incomplete')
  return null
}

const IUR = {
  provider: 'sabre',
  format: 'iur',
  training: false,
  part: null,
  ticketingDeadline: null,
} as const

type Transaction = Omit<TicketFile, keyof Read | 'warnings'>

function transactionOf(reading: Reading): Transaction {
  const { file, header, made } = reading
  const ticket = iurRecords(file, 'M2')[0]?.line ?? ''
  return {
    ...IUR,
    version: printedText(header.version),
    made,
    pnr: printedText(header.pnr),
    airlineLocators: airlineLocators(reading.flights),
    bookingOffice: printedText(header.bookingOffice),
    ticketingOffice: printedText(header.ticketingOffice) ?? printedText(cutField(ticket, TICKET.office)),
    bookingAgent: printedText(header.bookingAgent),
    ticketingAgent: printedText(header.ticketingAgent) ?? printedText(cutField(ticket, TICKET.agent)),
    iataNumber: iataNumberOf(reading),
    clientAccount: printedText(header.customerNumber),
    remarks: iurRemarks(file),
  }
}

type Read = Pick<TicketFile, 'action' | 'passengers' | 'documents' | 'legs' | 'issuedOn' | 'bsp' | 'validatingAirline'>

function readOf(reading: Reading, action: DocumentAction, drafts: readonly Draft[]): Read {
  const [first] = drafts
  const numbers = drafts.flatMap(({ number, associatedWith }) => [number, associatedWith ?? number])
  const { legs, seats } = iurLegs(reading, new Set(numbers), reading.issuedOn ?? reading.reference)
  const { passengers, documents } = seated(reading, drafts, seats)
  const isSettledElsewhere = iurRecords(reading.file, 'M2').some(({ line }) => cutField(line, TICKET.kind) === NON_BSP)
  return {
    action,
    issuedOn: first && action !== 'void' ? (first.issuedOn ?? reading.issuedOn) : null,
    bsp: first !== undefined && iataNumberOf(reading) !== null && !isSettledElsewhere,
    validatingAirline: first ? { code: first.airline, numeric: first.number.slice(0, 3), name: null } : null,
    passengers,
    legs,
    documents,
  }
}

/** Removes the blanks from `72 32491 0`. */
function iataNumberOf({ header }: Reading): string | null {
  const digits = header.iataNumber.replaceAll(' ', '')
  return /^\d{8}$/.test(digits) ? digits : null
}
