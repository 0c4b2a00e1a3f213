import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type DocumentAction,
  type ReadTicketFile,
  type TicketDocument,
  type TicketFile,
  Unreadable,
} from '../../ticket-file.ts'
import { nextDay } from '../days.ts'
import { printedText as filled } from '../printed.ts'
import { checkTotal } from '../totals.ts'
import { collectWarnings, type Warn } from '../warnings.ts'
import { carrierOf, readDocuments } from './documents.ts'
import { type AirHeader, readAirHeader } from './header.ts'
import { actionOf } from './kinds.ts'
import { type Air, everyLine, field, splitAir } from './lines.ts'
import { readPassenger } from './passengers.ts'
import { readRemarks } from './remarks.ts'
import { readAirSegments, type Segments } from './segments.ts'
import { withServiceFees } from './service-fees.ts'

/** A reservation can be ticketed this many days after its deadline. */
const LATE_DAYS = 30
/** The field with the airline in lines of EMDs and MCOs. */
const MISCELLANEOUS_NAME = 3

/** Parses an Amadeus AIR: the file of a ticket issue, a void, a refund or a reservation. */
export const readAir: ReadTicketFile = (text, today) => {
  const air = splitAir(text)
  if (air instanceof Unreadable) return air
  const { warn, warnings } = collectWarnings()
  const header = readAirHeader(air, today, warn)
  const hasRefund = everyLine(air, 'R-').length > 0
  const action = actionOf({ option: header.option, action: header.action, hasRefund }, warn)
  if (action instanceof Unreadable) return action
  const reading: Reading = { air, header, action, today, segments: segmentsOf(air, header, action, today, warn), warn }
  const documents = documentsOf(reading)
  if (documents instanceof Unreadable) return documents
  if (action === 'issue' && !header.issuedOn) warn('issue_date', 'The file has no date of issue. Enter it by hand.')
  return {
    ...fileOf(reading),
    action: finalAction(action, documents),
    ...validated(air, header, documents),
    documents,
    warnings,
  }
}

type Reading = {
  readonly air: Air
  readonly header: AirHeader
  readonly action: DocumentAction
  readonly today: string
  readonly segments: Segments
  readonly warn: Warn
}

function segmentsOf(air: Air, header: AirHeader, action: DocumentAction, today: string, warn: Warn): Segments {
  const { airlineLocators: locators, issuedOn } = header
  return readAirSegments(air, { reference: issuedOn ?? today, isReservation: action === 'itinerary', locators }, warn)
}

function documentsOf({ air, header, action, today, segments, warn }: Reading): TicketDocument[] | Unreadable {
  if (action === 'itinerary') return []
  const documents = readDocuments({ air, header, action, coupons: segments.coupons, today, warn })
  if (action === 'issue') {
    if (documents.length === 0) warn('no_document', 'The file is an issue, but it has no document number.')
    for (const document of documents) if (!document.exchange) checkTotal(document, warn)
    return withServiceFees(air, documents, warn)
  }
  return documents.length > 0
    ? documents
    : new Unreadable('The file does not name the documents that it changes.', 'no_document')
}

/** A file is an exchange if one of its documents is. */
function finalAction(action: DocumentAction, documents: readonly TicketDocument[]): DocumentAction {
  if (action !== 'issue') return action
  if (documents.length === 0) return 'itinerary'
  return documents.some((document) => document.exchange) ? 'exchange' : 'issue'
}

type Common = Omit<TicketFile, 'action' | 'validatingAirline' | 'bsp' | 'documents' | 'warnings'>

function fileOf({ air, header, today, segments, warn }: Reading): Common {
  const { option: _option, action: _action, created: _created, airline: _airline, ...printed } = header
  const { legs, sectors } = segments
  return {
    provider: 'amadeus',
    format: 'air',
    ...printed,
    ticketingDeadline: deadlineOf(air, header.issuedOn ?? today),
    passengers: air.passengers.map((block) => readPassenger({ air, today, sectors }, block, warn)),
    legs,
    remarks: readRemarks(air),
  }
}

/** `TL12MAR/1700/IEVU23561`, or XL; OK marks a ticketed reservation. */
function deadlineOf(air: Air, reference: string): string | null {
  const days = everyLine(air, 'TK').map((line) => /^(?:TL|XL)(\d{2}[A-Z]{3})/.exec(field(line, 0).trim())?.[1])
  const day = days.find((each) => each !== undefined)
  return day ? nextDay(day, reference, LATE_DAYS) : null
}

/** The airline from its own line, which only tickets have; otherwise from the documents or their numbers. */
function validated(
  air: Air,
  header: AirHeader,
  documents: readonly TicketDocument[],
): Pick<TicketFile, 'validatingAirline' | 'bsp'> {
  const [first] = documents
  const printed = header.airline?.code ?? first?.airline ?? carrierOf((tag) => everyLine(air, tag))
  const code = printed ?? airlineOfNumber(first?.number ?? '')
  const numeric = header.airline?.numeric ?? first?.number.slice(0, 3) ?? null
  const [miscellaneous] = [...everyLine(air, 'EMD'), ...everyLine(air, 'MCO')]
  const name = header.airline ? header.airline.name : filled(field(miscellaneous, MISCELLANEOUS_NAME))
  return {
    validatingAirline: code || numeric ? { code, numeric, name } : null,
    bsp: header.iataNumber !== null && documents.length > 0,
  }
}
