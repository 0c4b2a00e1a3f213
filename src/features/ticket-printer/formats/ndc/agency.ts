import type { TicketFile } from '../../ticket-file.ts'
import { descendants, elements, firstTextAt, type TicketXmlElement } from '../xml/parse-xml.ts'

type Agency = Pick<TicketFile, 'iataNumber' | 'bookingOffice' | 'ticketingOffice' | 'ticketingAgent'>

const OFFICE = /^[A-Z\d]{3,20}$/i

/** The selling agency as the airline knows it: its IATA number, its GDS office, or an id of its own. */
export function sellerIn(message: TicketXmlElement): Agency {
  const [agency] = ['TravelAgencySender', 'TravelAgency', 'BookingAgency'].flatMap((name) => descendants(message, name))
  const seller = elements(message, 'DistributionChain', 'DistributionChainLink').find(
    (link) => firstTextAt(link, 'OrgRole') === 'Seller',
  )
  const id = firstTextAt(seller, 'ParticipatingOrg/OrgID') ?? firstTextAt(agency, 'AgencyID')
  const issuer = descendants(message, 'AgentID').flatMap((agent) => firstTextAt(agent, 'ID') ?? [])[0] ?? null
  const numbers = [firstTextAt(agency, 'IATA_Number', 'IATANumber'), id]
  return {
    iataNumber: numbers.find((number) => /^\d{8}$/.test(number ?? '')) ?? null,
    bookingOffice: officeIn(id),
    ticketingOffice: officeIn(firstTextAt(agency, 'PseudoCity', 'PseudoCityID')),
    ticketingAgent: officeIn(firstTextAt(agency, 'AgentUser/AgentUserID', 'TravelAgent/TravelAgentID') ?? issuer),
  }
}

const officeIn = (printed: string | null): string | null => (OFFICE.test(printed ?? '') ? printed : null)
