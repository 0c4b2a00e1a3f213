import type { FileWarning, TicketLeg } from '../../ticket-file.ts'
import { BLANK_LEG } from '../blank.ts'
import { printedTime } from '../iso-times.ts'
import { descendants, element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

type Flights = { readonly legs: readonly TicketLeg[]; readonly warnings: readonly FileWarning[] }

/** What the flights of an order refer to, by its id. */
type Lists = {
  readonly marketed: ReadonlyMap<string, TicketXmlElement>
  readonly operated: ReadonlyMap<string, TicketXmlElement>
  readonly components: ReadonlyMap<string, TicketXmlElement>
}

/** The flights of an order. Version 21.3 keeps their times, and their operating airline, in lists of their own. */
export function ndcLegs(response: TicketXmlElement): Flights {
  const data = element(response, 'DataLists')
  if (!data) return { legs: [], warnings: [] }
  const lists = {
    marketed: byId(elements(data, 'DatedMarketingSegmentList', 'DatedMarketingSegment'), 'DatedMarketingSegmentId'),
    operated: byId(elements(data, 'DatedOperatingSegmentList', 'DatedOperatingSegment'), 'DatedOperatingSegmentId'),
    components: componentsBySegment(response),
  }
  const segments = [
    ...elements(data, 'FlightSegmentList', 'FlightSegment'),
    ...elements(data, 'PaxSegmentList', 'PaxSegment'),
  ]
  const printed = segments.map((segment) => legOf(segment, lists))
  const legs = printed.filter((leg) => leg !== null)
  const missing = printed.length - legs.length
  const message = `${missing} of the flights have no airline, number or airports and were left out. Check the itinerary.`
  return { legs, warnings: missing > 0 ? [{ code: 'leg', message }] : [] }
}

const byId = (list: readonly TicketXmlElement[], id: string): ReadonlyMap<string, TicketXmlElement> =>
  new Map(list.map((each) => [textAt(each, id) ?? '', each]))

/** The fare component that each segment is sold in, by the segment's id; the first passenger's where they differ. */
function componentsBySegment(response: TicketXmlElement): ReadonlyMap<string, TicketXmlElement> {
  const found = new Map<string, TicketXmlElement>()
  for (const component of descendants(response, 'FareComponent')) {
    const ids = [...elements(component, 'SegmentRefs'), ...elements(component, 'PaxSegmentRefID')]
    for (const id of ids.flatMap(({ text }) => text.split(/\s+/))) if (!found.has(id)) found.set(id, component)
  }
  return found
}

function legOf(segment: TicketXmlElement, lists: Lists): TicketLeg | null {
  const marketed = lists.marketed.get(textAt(segment, 'DatedMarketingSegmentRefId') ?? '') ?? segment
  const departure = element(marketed, 'Departure') ?? element(marketed, 'Dep')
  const arrival = element(marketed, 'Arrival')
  const carrier = element(marketed, 'MarketingCarrier') ?? element(marketed, 'MarketingCarrierInfo') ?? marketed
  const airline = textAt(carrier, 'AirlineID') ?? textAt(carrier, 'CarrierDesigCode')
  const flight = textAt(carrier, 'FlightNumber') ?? textAt(carrier, 'MarketingCarrierFlightNumberText')
  const [from, to] = [airportOf(departure), airportOf(arrival)]
  if (airline === null || flight === null || from === null || to === null) return null
  const operating = operatedBy(segment, lists.operated.get(textAt(marketed, 'DatedOperatingSegmentRefId') ?? ''))
  const component = lists.components.get(segment.attributes.SegmentKey ?? textAt(segment, 'PaxSegmentID') ?? '')
  return {
    ...BLANK_LEG,
    airline,
    flight,
    operatingAirline: operating === airline ? null : operating,
    from,
    to,
    departure: timeOf(departure),
    arrival: timeOf(arrival),
    departureTerminal: terminalOf(departure),
    arrivalTerminal: terminalOf(arrival),
    bookingClass: textAt(segment, 'ClassOfService', 'Code') ?? bookingClassOf(component, segment),
    fareBasis: textAt(component, 'FareBasis', 'FareBasisCode', 'Code') ?? textAt(component, 'FareBasisCode'),
    equipment: equipmentOf(segment),
  }
}

const bookingClassOf = (component: TicketXmlElement | undefined, segment: TicketXmlElement): string | null =>
  textAt(component, 'FareBasis', 'RBD') ??
  textAt(component, 'RBD', 'RBD_Code') ??
  textAt(segment, 'MarketingCarrierRBD_Code')

const equipmentOf = (segment: TicketXmlElement): string | null =>
  textAt(segment, 'Equipment', 'AircraftCode') ??
  textAt(segment, 'DatedOperatingLeg', 'CarrierAircraftType', 'CarrierAircraftTypeCode')

const airportOf = (end: TicketXmlElement | undefined): string | null =>
  textAt(end, 'AirportCode') ?? textAt(end, 'IATA_LocationCode')

const terminalOf = (end: TicketXmlElement | undefined): string | null =>
  textAt(end, 'Terminal', 'Name') ?? textAt(end, 'TerminalName')

const timeOf = (end: TicketXmlElement | undefined): string | null =>
  printedTime(textAt(end, 'AircraftScheduledDateTime') ?? `${textAt(end, 'Date')}T${textAt(end, 'Time')}`)

const operatedBy = (segment: TicketXmlElement, operated: TicketXmlElement | undefined): string | null =>
  textAt(segment, 'OperatingCarrier', 'AirlineID') ??
  textAt(segment, 'OperatingCarrierInfo', 'CarrierDesigCode') ??
  textAt(operated, 'CarrierDesigCode')
