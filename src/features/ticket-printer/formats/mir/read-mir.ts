import {
  type DocumentAction,
  type ReadTicketFile,
  type TicketDocument,
  type TicketFile,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { fullDay } from '../days.ts'
import { printedText } from '../printed.ts'
import { accountOf } from './accounts.ts'
import { basesOf } from './bases.ts'
import { type Command, commandOf } from './commands.ts'
import { mirDocuments, noDocumentsReason } from './documents.ts'
import type { MirHeader } from './header.ts'
import { mirLegs } from './legs.ts'
import { locatorsOf, withLocator } from './locators.ts'
import { type Mir, openMir } from './mir.ts'
import { partyOf } from './party.ts'
import { entriesOf } from './passengers.ts'
import { mirRemarks } from './remarks.ts'
import { withDetails } from './travellers.ts'

/** The day on which a refunded document was issued; its flights are on or after that day. */
const REFUNDED_ISSUE = { at: 32, length: 7 } as const
/** Galileo's clock is UTC; that of Apollo is not documented. */
const ZONE = 'UTC'

/** Parses a MIR of Travelport Galileo or Apollo, type 92: a file of fixed columns in sections A00 to A32. */
export const readMir: ReadTicketFile = (content, today) => {
  const mir = openMir(content, today)
  if (mir instanceof Unreadable) return mir
  const command = commandOf(mir.header.command) ?? unknownCommand(mir)
  const bases = basesOf(mir)
  const legs = mirLegs(mir, bases, firstDay(mir))
  const entries = withDetails(mir, entriesOf(mir), legs)
  const party = partyOf(entries)
  const documents = mirDocuments(mir, { command, entries, party, legs, bases })
  const action = documents.length > 0 ? actionOf(command, documents, mir.header) : 'itinerary'
  const reason = documents.length > 0 ? null : noDocumentsReason(mir, command)
  if (reason) return reason
  const airlineLocators = locatorsOf(mir)
  return {
    ...BLANK_FILE,
    ...headOf(mir.header),
    action,
    airlineLocators,
    clientAccount: accountOf(mir),
    ticketingDeadline: entries.flatMap(({ ticketBy }) => ticketBy ?? []).sort()[0] ?? null,
    issuedOn: documents.find(({ issuedOn }) => issuedOn)?.issuedOn ?? mir.header.day,
    bsp: documents.length > 0 && mir.header.iataNumber !== null,
    passengers: party.passengers,
    legs: [...legs.values()].map((leg) => withLocator(leg, airlineLocators)),
    documents,
    remarks: mirRemarks(mir),
    warnings: mir.warnings,
  }
}

function unknownCommand({ header, warn }: Mir): Command {
  warn('unknown_command', `The header of the MIR has the unknown command ${header.command || '(blank)'}.`)
  return { action: 'itinerary', holds: 'tickets' }
}

function actionOf(
  { action }: Command,
  documents: readonly TicketDocument[],
  { isExchange }: MirHeader,
): DocumentAction {
  const exchanges = isExchange === 'Y' || documents.some(({ exchange }) => exchange !== null)
  return action === 'issue' && exchanges ? 'exchange' : action
}

function headOf(header: MirHeader): Pick<TicketFile, 'provider' | 'format'> & Partial<TicketFile> {
  const { airline, numeric, airlineName, day, time } = header
  const name = printedText(airlineName)
  return {
    provider: header.isApollo ? 'apollo' : 'galileo',
    format: 'mir',
    version: header.type,
    made: day === null ? null : { day, time, zone: header.isApollo ? null : ZONE },
    pnr: header.pnr,
    bookingOffice: printedText(header.bookingOffice),
    ticketingOffice: printedText(header.ticketingOffice),
    bookingAgent: printedText(header.bookingAgent),
    ticketingAgent: printedText(header.ticketingAgent),
    iataNumber: header.iataNumber,
    validatingAirline: airline || numeric || name ? { code: printedText(airline), numeric, name } : null,
  }
}

/** A day before which no flight of the file departs. */
function firstDay({ header, items, today }: Mir): string {
  const made = header.day ?? today
  const { at, length } = REFUNDED_ISSUE
  const refunded = items('A23')[0]?.line.slice(at, at + length) ?? ''
  return header.firstTravel ?? fullDay(refunded, made) ?? made
}
