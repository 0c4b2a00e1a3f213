import type { TicketFile } from '../../ticket-file.ts'
import { printedClock } from '../days.ts'
import { element, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { sirenaDay } from './legs.ts'

type Agency = Pick<
  TicketFile,
  'made' | 'bookingOffice' | 'bookingAgent' | 'ticketingOffice' | 'ticketingAgent' | 'iataNumber'
>

/** The office in an agent's sign: `36МОС` in `ТКП36МОС0465`. */
const OFFICE = /^[А-ЯA-Z]{3}(\d{2}[А-ЯA-Z]{3})\d+$/
/** Sirena's time zone, used for DEALTIME. */
const ZONE = 'Europe/Moscow'

/**
 * The booking and selling agents. Version 2 has them in attributes of the deal, version 1 in elements of the ticket.
 */
export function agencyOf(ticket: TicketXmlElement): Agency {
  const { BOOK: book = {}, DEAL: deal = {} } = Object.fromEntries(
    ['BOOK', 'DEAL'].map((name) => [name, element(ticket, name)?.attributes]),
  )
  const agent = deal.disp || textAt(ticket, 'DISP')
  const stamp = deal.stamp || textAt(ticket, 'STAMP') || ''
  const day = sirenaDay(textAt(ticket, 'DEALDATE'))
  return {
    made: day === null ? null : { day, time: printedClock(textAt(ticket, 'DEALTIME') ?? ''), zone: ZONE },
    bookingOffice: book.agency || null,
    bookingAgent: book.disp || null,
    ticketingOffice: deal.agency || (OFFICE.exec(agent ?? '')?.[1] ?? textAt(ticket, 'SALEAG')),
    ticketingAgent: agent,
    iataNumber: /^\d{8}$/.test(stamp) ? stamp : null,
  }
}
