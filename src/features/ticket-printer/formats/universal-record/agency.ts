import type { TicketFile } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { withoutLikelyCards } from '../printed.ts'
import { descendants, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { lastAction } from './reserved.ts'

const IATA = /^\d{8}$/
/** The maximum length of a quotation from an error answer. */
const QUOTED = 200

/** The first value of an attribute, in elements with this name. */
const firstOf = (message: TicketXmlElement, name: string, attribute: string): string | null =>
  descendants(message, name).find(({ attributes }) => attributes[attribute])?.attributes[attribute] ?? null

/** The GDS's locator: that of a ticket record, otherwise that of the reservation at the provider. */
export const reservationCodeIn = (message: TicketXmlElement): string | null =>
  firstOf(message, 'ETR', 'ProviderLocatorCode') ??
  firstOf(message, 'ProviderReservationInfo', 'LocatorCode') ??
  firstOf(message, 'EMDInfo', 'ProviderLocatorCode')

export function locatorsIn(message: TicketXmlElement): TicketFile['airlineLocators'] {
  const printed = descendants(message, 'SupplierLocator').flatMap(
    ({ attributes: { SupplierCode, SupplierLocatorCode } }) =>
      SupplierCode && SupplierLocatorCode ? [{ airline: SupplierCode, locator: SupplierLocatorCode }] : [],
  )
  return [...new Map(printed.map((each) => [`${each.airline} ${each.locator}`, each])).values()]
}

/** Offices and agents. Without a ticketing office, the office that owns the reservation issued the tickets. */
export function agencyIn(
  message: TicketXmlElement,
): Pick<TicketFile, 'bookingOffice' | 'ticketingOffice' | 'bookingAgent' | 'ticketingAgent' | 'iataNumber' | 'bsp'> {
  const owner = firstOf(message, 'ProviderReservationInfo', 'OwningPCC')
  const iata = firstOf(message, 'ETR', 'IATANumber')
  const iataNumber = iata && IATA.test(iata) ? iata : null
  const created = lastAction(message, 'Created')?.attributes.AgentCode ?? null
  return {
    bookingOffice: owner,
    ticketingOffice: firstOf(message, 'ETR', 'PseudoCityCode') ?? owner,
    bookingAgent: created,
    ticketingAgent: lastAction(message, 'Ticketed')?.attributes.AgentCode ?? created,
    iataNumber,
    bsp: iataNumber !== null,
  }
}

/** The ticketing deadline: that of the reservation, otherwise that of its fares. */
export const deadlineIn = (message: TicketXmlElement): string | null =>
  printedDay(
    firstOf(message, 'ActionStatus', 'TicketDate') ?? firstOf(message, 'AirPricingInfo', 'LatestTicketingTime'),
  )

const REMARKS = ['GeneralRemark', 'AccountingRemark', 'UnassociatedRemark'] as const

/** The remarks of agents; those of airlines are messages to them. */
export const remarksIn = (message: TicketXmlElement): readonly string[] =>
  REMARKS.flatMap((name) => descendants(message, name))
    .filter(({ attributes }) => attributes.Category !== 'Vendor' && attributes.Direction !== 'Incoming')
    .flatMap((remark) => textAt(remark, 'RemarkData') ?? [])
    .map(withoutLikelyCards)

/** Why an answer has neither a document nor a reservation, if it says so. */
export function failureIn(message: TicketXmlElement): string {
  const failure = [
    ...descendants(message, 'FailureRemark'),
    ...descendants(message, 'TicketFailureInfo').map(({ attributes, text }) => ({ text: attributes.Message ?? text })),
    ...descendants(message, 'ResponseMessage').filter(({ attributes }) => attributes.Type !== 'Info'),
  ].find(({ text }) => text !== '')
  return `The file contains no document and no reservation. ${failure ? `Message: ${failure.text.slice(0, QUOTED)}` : ''}`.trim()
}
