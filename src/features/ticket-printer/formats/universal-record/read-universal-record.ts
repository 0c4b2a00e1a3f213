import { type ReadTicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { collectWarnings } from '../warnings.ts'
import { descendants, parseXml } from '../xml/parse-xml.ts'
import { agencyIn, deadlineIn, failureIn, locatorsIn, remarksIn, reservationCodeIn } from './agency.ts'
import { miscellaneousDocuments } from './emds.ts'
import { warnOfMentioned } from './left-out.ts'
import { bookedLegs, couponLegs } from './legs.ts'
import { messageIn, providerIn, versionIn } from './messages.ts'
import { actionOfDocuments } from './outcome.ts'
import { pricingsOfTickets, reservedDocuments } from './reserved.ts'
import { recordedDocuments } from './ticket-records.ts'
import { travellersIn } from './travellers.ts'
import { voidedDocuments } from './voided.ts'

/**
 * Parses an answer of Travelport's Universal API: a Universal Record with its tickets, issued or retrieved tickets,
 * EMDs. Namespaces contain the version of the schema, so names are matched without them.
 */
export const readUniversalRecord: ReadTicketFile = (text, today) => {
  const root = parseXml(text)
  if (root instanceof Unreadable) return root
  const message = messageIn(root)
  if (!message)
    return new Unreadable('The XML does not contain an answer of the Universal API with documents.', 'unknown_format')
  const { warn, warnings } = collectWarnings()
  const records = descendants(message, 'ETR')
  const reservations = descendants(message, 'AirReservation')
  const flights = records.length > 0 ? couponLegs(records) : bookedLegs(reservations, pricingsOfTickets(reservations))
  const travellers = travellersIn(message, flights.bySegment, today)
  const answer = { message, travellers, warn }
  const listed = [
    ...(records.length > 0 ? recordedDocuments(records, answer) : reservedDocuments(reservations, answer)),
    ...miscellaneousDocuments(answer),
    ...(records.length > 0 ? [] : voidedDocuments(answer)),
  ]
  if (listed.length === 0 && warnings[0])
    return new Unreadable(`The file has no document that can be captured. ${warnings[0].message}`, 'no_document')
  if (listed.length === 0 && reservations.length === 0) return new Unreadable(failureIn(message), 'unknown_kind')
  warnOfMentioned(answer)
  const { action, documents } = actionOfDocuments(listed, answer)
  const [first] = documents
  return {
    ...BLANK_FILE,
    provider: providerIn(text),
    format: 'xml',
    action,
    version: versionIn(text),
    pnr: reservationCodeIn(message),
    airlineLocators: locatorsIn(message),
    ...agencyIn(message),
    issuedOn: first?.issuedOn ?? null,
    ticketingDeadline: first ? null : deadlineIn(message),
    validatingAirline: first ? { code: first.airline, numeric: first.number.slice(0, 3), name: null } : null,
    passengers: travellers.passengers,
    legs: flights.legs,
    documents,
    remarks: remarksIn(message),
    warnings,
  }
}
