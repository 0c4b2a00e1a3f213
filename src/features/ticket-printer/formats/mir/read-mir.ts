import {
  type DocumentAction,
  type ReadTicketFile,
  type TicketDocument,
  type TicketFile,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { fullDay } from '../days.ts'
import { printedText, withoutCards } from '../printed.ts'
import { basesOf } from './bases.ts'
import { type Command, commandOf } from './commands.ts'
import { mirDocuments, noDocumentsReason } from './documents.ts'
import type { MirHeader } from './header.ts'
import { mirLegs } from './legs.ts'
import { type Mir, openMir } from './mir.ts'
import { partyOf } from './party.ts'
import { entriesOf } from './passengers.ts'

/** `VL-`, the time, the day and the host, then `RM`, the airline and its locator. */
const LOCATOR = /^A14VL-.{12}RM([A-Z0-9]{2})([A-Z0-9]{5,8})\b/
/** The day on which a refunded document was issued; its flights are on or after it. */
const REFUNDED_ISSUE = { at: 32, length: 7 } as const
/** Where an agency writes its code of the customer. A remark of several words is no code. */
const ACCOUNTS = [/^A00([A-Z0-9][A-Z0-9./-]{0,19})\s*$/, /^A14CA-([A-Z0-9][A-Z0-9./-]{0,19})\s*$/] as const
/** Galileo's clock is Greenwich's; that of Apollo is not told. */
const ZONE = 'UTC'

/** Reads a MIR of Travelport Galileo or Apollo, type 92: a file of fixed columns in sections A00 to A32. */
export const readMir: ReadTicketFile = (content, today) => {
  const mir = openMir(content, today)
  if (mir instanceof Unreadable) return mir
  const command = commandOf(mir.header.command) ?? unknownCommand(mir)
  const bases = basesOf(mir)
  const legs = mirLegs(mir, bases, firstDay(mir))
  const entries = entriesOf(mir)
  const party = partyOf(entries)
  const documents = mirDocuments(mir, { command, entries, party, legs, bases })
  const action = documents.length > 0 ? actionOf(command, documents, mir.header) : 'itinerary'
  const reason = documents.length > 0 ? null : noDocumentsReason(mir, command)
  if (reason) return reason
  return {
    ...BLANK_FILE,
    ...headOf(mir.header),
    action,
    airlineLocators: locatorsOf(mir),
    clientAccount: accountOf(mir),
    ticketingDeadline:
      documents.length > 0 ? null : (entries.flatMap(({ ticketBy }) => ticketBy ?? []).sort()[0] ?? null),
    issuedOn: documents.find(({ issuedOn }) => issuedOn)?.issuedOn ?? mir.header.day,
    bsp: documents.length > 0 && mir.header.iataNumber !== null,
    passengers: party.passengers,
    legs: [...legs.values()],
    documents,
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

/** A day that no flight of the file departs before. */
function firstDay({ header, items, today }: Mir): string {
  const made = header.day ?? today
  const { at, length } = REFUNDED_ISSUE
  const refunded = items('A23')[0]?.line.slice(at, at + length) ?? ''
  return header.firstTravel ?? fullDay(refunded, made) ?? made
}

function locatorsOf({ items }: Mir): TicketFile['airlineLocators'] {
  return items('A14').flatMap(({ line }) => {
    const [, airline, locator] = LOCATOR.exec(line) ?? []
    return airline !== undefined && locator !== undefined ? [{ airline, locator }] : []
  })
}

function accountOf({ items }: Mir): string | null {
  const lines = [...items('A00'), ...items('A14')].map(({ line }) => line)
  const [account] = ACCOUNTS.flatMap((pattern) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))
  return account === undefined ? null : withoutCards(account)
}
