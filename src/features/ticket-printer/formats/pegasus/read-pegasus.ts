import { type ReadTicketFile, type TicketDocument, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { madeAt } from '../iso-times.ts'
import { legsOnce } from '../legs.ts'
import { collectWarnings } from '../warnings.ts'
import { descendants, parseXml, textAt } from '../xml/parse-xml.ts'
import { type PegasusTicket, pegasusTicket } from './tickets.ts'

/** Reads the ticket XML of Pegasus: every `TICKET` is one ticket of one passenger. */
export const readPegasus: ReadTicketFile = (text) => {
  const root = parseXml(text)
  if (root instanceof Unreadable) return root
  const { warn, note, warnings } = collectWarnings()
  const printed = root.name === 'TICKET' ? [root] : descendants(root, 'TICKET')
  const tickets = printed.flatMap((ticket) => pegasusTicket(ticket, { warn, note }) ?? [])
  if (tickets.length === 0) {
    const why = `The XML has no ticket that can be captured. ${warnings[0]?.message ?? ''}`.trim()
    return new Unreadable(why, 'no_document')
  }
  const locators = new Set(tickets.map(({ printed: ticket }) => textAt(ticket, 'PNR')))
  if (locators.size > 1) warn('locators', `The file has tickets of ${locators.size} reservations. Check the PNR.`)
  return { ...fileOf(tickets), warnings }
}

function fileOf(tickets: readonly PegasusTicket[]): TicketFile {
  const first = tickets[0]?.printed
  const documents = tickets.map(({ document }, passenger): TicketDocument => ({ ...document, passenger }))
  const [ticket] = documents
  return {
    ...BLANK_FILE,
    provider: 'pegasus',
    format: 'xml',
    action: documents.some(({ exchange }) => exchange) ? 'exchange' : 'issue',
    made: madeAt(textAt(first, 'TICKET_DATE')),
    pnr: textAt(first, 'PNR'),
    ticketingOffice: textAt(first, 'SR_CODE'),
    ticketingAgent: textAt(first, 'USER_CODE'),
    issuedOn: ticket?.issuedOn ?? null,
    validatingAirline: { code: ticket?.airline ?? null, numeric: tickets[0]?.numeric ?? null, name: null },
    passengers: tickets.map(({ passenger }) => passenger),
    legs: legsOnce(tickets.flatMap(({ legs }) => legs)),
    documents,
  }
}
